#include "oa/qubo/pieces.h"

#include "oa/base/index.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace oa::qubo {
namespace {

/// Union-find: disjoint sets of variables, each named by its smallest variable.
class Sets {
 public:
  explicit Sets(int n) : parent_(at(n)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  [[nodiscard]] std::int32_t find(std::int32_t i) {
    while (parent_[at(i)] != i) {
      parent_[at(i)] = parent_[at(parent_[at(i)])];
      i = parent_[at(i)];
    }
    return i;
  }

  void join(std::int32_t i, std::int32_t k) {
    const auto [low, high] = std::minmax({find(i), find(k)});
    parent_[at(high)] = low;
  }

  void join(std::span<const std::int32_t> all) {
    for (const std::int32_t i : all) {
      join(all.front(), i);
    }
  }

 private:
  std::vector<std::int32_t> parent_;
};

Sets joined(const Model& model) {
  Sets sets(model.size());
  for (std::int32_t i = 0; i < model.size(); ++i) {
    model.f.row(i).each([&](std::int32_t other, double) {
      if (other > i) {
        sets.join(i, other);
      }
    });
  }
  for (const Term& t : model.f.rests()) {
    if (t.first != kConstant) {
      sets.join(t.first, t.second);
    }
  }
  for (const Monomial& m : model.higher) {
    sets.join(m.variables);
  }
  for (const Constraint& c : model.constraints) {
    for (const Term& t : c.terms) {
      sets.join(c.terms.front().first, t.first);
      sets.join(t.first, t.second);
    }
  }
  return sets;
}

/// Distributes the terms of a model to its pieces.
class Dealer {
 public:
  Dealer(const Model& model, Sets sets)
      : model_(model),
        piece_(at(model.size())),
        place_(at(model.size())) {
    for (std::int32_t i = 0; i < model.size(); ++i) {
      const std::int32_t first = sets.find(i);
      if (first == i) {
        piece_[at(i)] = static_cast<std::int32_t>(pieces_.all.size());
        pieces_.all.emplace_back();
      }
      piece_[at(i)] = piece_[at(first)];
      std::vector<int>& variables = of(i).variables;
      place_[at(i)] = static_cast<std::int32_t>(variables.size());
      variables.push_back(i);
    }
    pairs_.resize(pieces_.all.size());
    fields_.resize(pieces_.all.size());
  }

  Pieces dealt() {
    deal_functions();
    for (const Monomial& m : model_.higher) {
      Monomial mine = m;
      for (std::int32_t& i : mine.variables) {
        i = place_[at(i)];
      }
      of(m.variables.front()).model.higher.push_back(std::move(mine));
    }
    for (const Constraint& c : model_.constraints) {
      Constraint mine = c;
      for (Term& t : mine.terms) {
        t = moved(t);
      }
      of(c.terms.front().first).model.constraints.push_back(std::move(mine));
    }
    std::ranges::stable_sort(pieces_.all,
                             [](const Pieces::Piece& a, const Pieces::Piece& b) {
                               return a.variables.size() > b.variables.size();
                             });
    return std::move(pieces_);
  }

 private:
  [[nodiscard]] Pieces::Piece& of(std::int32_t i) {
    return pieces_.all[at(piece_[at(i)])];
  }
  [[nodiscard]] Term moved(const Term& t) const {
    return {place_[at(t.first)], place_[at(t.second)], t.weight};
  }

  void deal_functions() {
    const Quadratic& f = model_.f;
    pieces_.constant.add(f.offset);
    for (std::int32_t i = 0; i < f.size(); ++i) {
      f.row(i).each([&](std::int32_t other, double weight) {
        if (other > i) {
          pairs_[at(piece_[at(i)])].push_back(moved({i, other, weight}));
        }
      });
    }
    for (const Term& t : f.rests()) {
      if (t.first == kConstant) {
        pieces_.constant.add(t.weight);
      } else {
        (t.first == t.second ? fields_ : pairs_)[at(piece_[at(t.first)])].push_back(
            moved(t));
      }
    }
    for (std::size_t k = 0; k < pieces_.all.size(); ++k) {
      Pieces::Piece& piece = pieces_.all[k];
      Quadratic& g = piece.model.f =
          Quadratic(static_cast<int>(piece.variables.size()));
      g.vartype = f.vartype;
      g.sense = f.sense;
      for (std::size_t i = 0; i < piece.variables.size(); ++i) {
        g.linear[i] = f.linear[at(piece.variables[i])];
        if (!f.names.empty()) {
          g.names.push_back(f.names[at(piece.variables[i])]);
        }
      }
      g.add(pairs_[k]);
      g.add_linear(fields_[k]);
    }
  }

  const Model& model_;
  Pieces pieces_;
  std::vector<std::int32_t> piece_;  // piece of each variable
  std::vector<std::int32_t> place_;  // number of each variable in its piece
  std::vector<Terms> pairs_;         // pairs of each piece
  std::vector<Terms> fields_;
};

}  // namespace

Pieces pieces_of(const Model& model) {
  // A constraint without variables fits into no piece.
  const bool whole = model.f.couplings().dense() ||
                     std::ranges::any_of(model.constraints, [](const Constraint& c) {
                       return c.terms.empty();
                     });
  if (whole) {
    return {};
  }
  Sets sets = joined(model);
  for (std::int32_t i = 1; i < model.size(); ++i) {
    if (sets.find(i) == i) {
      return Dealer(model, std::move(sets)).dealt();
    }
  }
  return {};
}

}  // namespace oa::qubo
