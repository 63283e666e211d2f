#include "oa/solve/presolve.h"

#include "oa/base/exact_sum.h"
#include "oa/solve/roof.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace oa::solve {
namespace {

using qubo::Coupling;
using qubo::Quadratic;

constexpr std::int64_t kMostPairs = 8;  // for each variable: roof duality decides
                                        // little of denser problems

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// The sum if it is a double.
std::optional<double> exactly(std::initializer_list<double> terms) {
  ExactSum sum;
  for (const double t : terms) {
    sum.add(t);
  }
  const double value = sum.value();
  sum.add(-value);
  return sum.value() == 0.0 ? std::optional(value) : std::nullopt;
}

/// Variables that hang together, by a walk over pairs, in the order of their first.
template <class Rows>
std::vector<std::vector<int>> components(int n, const Rows& row, auto&& counts) {
  std::vector<std::vector<int>> all;
  std::vector<bool> seen(at(n));
  for (int i = 0; i < n; ++i) {
    if (seen[at(i)] || !counts(i)) {
      continue;
    }
    std::vector<int>& one = all.emplace_back(1, i);
    seen[at(i)] = true;
    for (std::size_t k = 0; k < one.size(); ++k) {
      for (const Coupling& c : row(one[k])) {
        if (!seen[at(c.other)]) {
          seen[at(c.other)] = true;
          one.push_back(c.other);
        }
      }
    }
  }
  return all;
}

}  // namespace

class Presolve::Reduction {
 public:
  Reduction(const Quadratic& f, std::vector<Step>& steps)
      : linear_(f.linear),
        rows_(at(f.size())),
        state_(at(f.size()), kQueued),
        steps_(steps) {
    offset_ = f.offset;
    for (int i = 0; i < f.size(); ++i) {
      rows_[at(i)].assign(f.row(i).begin(), f.row(i).end());
      queue_.push_back(i);
    }
  }

  /// Fixes x_i; false if that would round a number.
  bool fix(int i, bool one) {
    if (one) {
      const auto offset = exactly({offset_, linear_[at(i)]});
      if (!offset) {
        return false;
      }
      for (const Coupling& c : rows_[at(i)]) {
        if (!exactly({linear_[at(c.other)], c.weight})) {
          return false;
        }
      }
      offset_ = *offset;
      for (const Coupling& c : rows_[at(i)]) {
        linear_[at(c.other)] += c.weight;
      }
    }
    steps_.push_back({i, i, i, one ? -1.0 : 1.0, 0.0, 0.0});
    drop(i);
    return true;
  }

  void run() {
    while (!queue_.empty()) {
      const int i = queue_.back();
      queue_.pop_back();
      if (state_[at(i)] == kGone) {
        continue;
      }
      state_[at(i)] = kWaiting;
      reduce(i);
    }
  }

  /// Fixes what roof duality tells of the parts; whether there was any.
  bool decide(const std::vector<Part>& parts) {
    bool any = false;
    for (const Part& part : parts) {
      if (part.f.pairs() > kMostPairs * std::int64_t{part.f.size()}) {
        continue;
      }
      const std::vector<std::int8_t> values = roof_persistencies(part.f);
      for (std::size_t k = 0; k < values.size(); ++k) {
        any = (values[k] >= 0 && fix(part.variables[k], values[k] == 1)) || any;
      }
    }
    return any;
  }

  std::vector<Part> parts() const {
    const int n = static_cast<int>(linear_.size());
    const auto row = [&](int i) -> const std::vector<Coupling>& {
      return rows_[at(i)];
    };
    std::vector<int> place(at(n));
    std::vector<Part> parts;
    for (std::vector<int>& variables :
         components(n, row, [&](int i) { return state_[at(i)] != kGone; })) {
      std::ranges::sort(variables);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        place[at(variables[k])] = static_cast<int>(k);
      }
      Quadratic f(static_cast<int>(variables.size()));
      std::vector<qubo::Term> terms;
      for (const int i : variables) {
        f.linear[at(place[at(i)])] = linear_[at(i)];
        for (const Coupling& c : rows_[at(i)]) {
          if (c.other > i) {
            terms.push_back({place[at(i)], place[at(c.other)], c.weight});
          }
        }
      }
      f.add(terms);
      parts.push_back({std::move(f), std::move(variables)});
    }
    std::ranges::stable_sort(parts, [](const Part& a, const Part& b) {
      return a.variables.size() > b.variables.size();
    });
    return parts;
  }

  [[nodiscard]] double offset() const { return offset_; }

 private:
  enum State : std::uint8_t { kWaiting, kQueued, kGone };

  void drop(int i) {
    state_[at(i)] = kGone;
    for (const Coupling& c : rows_[at(i)]) {
      std::erase_if(rows_[at(c.other)],
                    [i](const Coupling& b) { return b.other == i; });
      look_again(c.other);
    }
    rows_[at(i)].clear();
  }

  void look_again(int i) {
    if (state_[at(i)] == kWaiting) {
      state_[at(i)] = kQueued;
      queue_.push_back(i);
    }
  }

  void reduce(int i) {
    ExactSum low;  // of what x_i = 1 adds, least and most
    ExactSum high;
    low.add(linear_[at(i)]);
    high.add(linear_[at(i)]);
    for (const Coupling& c : rows_[at(i)]) {
      (c.weight < 0.0 ? low : high).add(c.weight);
    }
    const auto degree = rows_[at(i)].size();
    if (low.value() >= 0.0) {
      fix(i, false);
    } else if (high.value() <= 0.0) {
      fix(i, true);
    } else if (degree == 1 || degree == 2) {
      absorb(i);
    }
  }

  /// Replaces x_i, with neighbours j and k, by  min(0, l + a x_j + b x_k)  as a
  /// function of these two; with one neighbour b = 0.
  void absorb(int i) {
    const std::vector<Coupling> row = rows_[at(i)];
    const bool two = row.size() == 2;
    const int j = row[0].other;
    const int k = two ? row[1].other : j;
    const double l = linear_[at(i)];
    const double a = row[0].weight;
    const double b = two ? row[1].weight : 0.0;
    const auto la = exactly({l, a});
    const auto lb = exactly({l, b});
    const auto lab = exactly({l, a, b});
    if (!la || !lb || !lab) {
      return;
    }
    const double m = std::min(0.0, l);
    const double ma = std::min(0.0, *la);
    const double mb = std::min(0.0, *lb);
    const auto offset = exactly({offset_, m});
    const auto of_j = exactly({linear_[at(j)], ma, -m});
    const auto of_k = two ? exactly({linear_[at(k)], mb, -m}) : of_j;
    const auto coupled =
        two ? exactly({weight(j, k), std::min(0.0, *lab), -ma, -mb, m}) : 0.0;
    if (!offset || !of_j || !of_k || !coupled) {
      return;
    }
    offset_ = *offset;
    linear_[at(j)] = *of_j;
    linear_[at(k)] = *of_k;
    if (two) {
      set_weight(j, k, *coupled);
      set_weight(k, j, *coupled);
    }
    steps_.push_back({i, j, k, l, a, b});
    drop(i);
  }

  [[nodiscard]] double weight(int i, int k) const {
    const auto found = std::ranges::find(rows_[at(i)], k, &Coupling::other);
    return found == rows_[at(i)].end() ? 0.0 : found->weight;
  }

  void set_weight(int i, int k, double value) {
    std::vector<Coupling>& row = rows_[at(i)];
    const auto found = std::ranges::find(row, k, &Coupling::other);
    if (found == row.end()) {
      row.push_back({k, value});
    } else {
      found->weight = value;
    }
    std::erase_if(row, [](const Coupling& c) { return c.weight == 0.0; });
  }

  double offset_ = 0.0;
  std::vector<double> linear_;
  std::vector<std::vector<Coupling>> rows_;
  std::vector<State> state_;
  std::vector<int> queue_;
  std::vector<Step>& steps_;
};

Presolve::Presolve(const Quadratic& f, bool symmetric) {
  Reduction reduction(f, steps_);
  if (symmetric) {
    const auto row = [&](int i) { return f.row(i); };
    for (const auto& one : components(f.size(), row, [](int) { return true; })) {
      reduction.fix(
          *std::ranges::max_element(one, {}, [&](int i) { return f.row(i).size(); }),
          false);
    }
  }
  do {
    reduction.run();
    parts_ = reduction.parts();
  } while (reduction.decide(parts_));
  offset_ = reduction.offset();
}

void Presolve::restore(std::span<std::uint8_t> x) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    // The sums of the reduction, which were exact.
    const double sum = step->constant + (x[at(step->j)] != 0 ? step->first : 0.0) +
                       (x[at(step->k)] != 0 ? step->second : 0.0);
    x[at(step->variable)] = sum < 0.0 ? 1 : 0;
  }
}

}  // namespace oa::solve
