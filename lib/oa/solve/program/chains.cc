#include "oa/solve/program/chains.h"

#include "oa/base/index.h"

#include <algorithm>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::int32_t kGap = 4;  // missing couplings allowed within a run
constexpr std::size_t kMaxTwins = 4;

}  // namespace

Chains::Chains(const qubo::Quadratic& objective,
               std::span<const qubo::ProgramRow> rows,
               const Stop& stop)
    : rows_(rows),
      place_(at(objective.size()), -1) {
  Pace pace(stop);
  number_variables();
  add_effects();
  add_couplings(objective, pace);
  add_members();
  complete_ = !pace.stopped();
  if (complete_) {
    reduced_ = reduced_moves(*bundles_, members_, stop);
  }
}

void Chains::number_variables() {
  const auto number = [&](std::int32_t i) {
    if (place_[at(i)] < 0) {
      place_[at(i)] = static_cast<std::int32_t>(order_.size());
      order_.push_back(i);
    }
  };
  for (const qubo::ProgramRow& row : rows_) {
    for (const auto& e : row.entries) {
      number(e.variable);
    }
  }
  for (std::int32_t i = 0; i < std::ssize(place_); ++i) {
    number(i);
  }
}

void Chains::add_couplings(const qubo::Quadratic& objective, Pace& pace) {
  std::vector<Bundles::Row> couplings(order_.size());
  for (std::size_t i = 0; i < order_.size() && !pace.stopped(); ++i) {
    linear_.push_back(objective.linear[at(order_[i])]);
    objective.row(order_[i]).each([&](std::int32_t k, double weight) {
      couplings[i].push_back({place_[at(k)], weight});
    });
    std::ranges::sort(couplings[i], {}, &qubo::Coupling::other);
    (void)pace(16 * std::ssize(couplings[i]));
  }
  find_twins(couplings, pace);
  bundles_.emplace(
      couplings, [&](int i, int k) { return same_rows(i, k); }, pace);
  for (int b = 0; b < bundles_->count() && !pace(8 * std::ssize(bundles_->row(b)));
       ++b) {
    add_runs(bundles_->row(b));
  }
  run_begins_.push_back(runs_.size());
}

/// Lists the bundles of each row.
void Chains::add_members() {
  for (const qubo::ProgramRow& row : rows_) {
    std::vector<std::int32_t>& members = members_.emplace_back();
    for (const auto& e : row.entries) {
      members.push_back(bundles_->of(place_[at(e.variable)]));
    }
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
  }
}

void Chains::add_effects() {
  std::vector<std::vector<Effect>> effects(order_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    for (const auto& e : rows_[k].entries) {
      effects[at(place_[at(e.variable)])].push_back(
          {static_cast<std::int32_t>(k), e.weight});
    }
  }
  for (const std::vector<Effect>& own : effects) {
    effect_begins_.push_back(effects_.size());
    effects_.insert(effects_.end(), own.begin(), own.end());
  }
  effect_begins_.push_back(effects_.size());
}

void Chains::add_runs(const Bundles::Row& couplings) {
  run_begins_.push_back(runs_.size());
  for (const qubo::Coupling& c : couplings) {
    const std::size_t own = runs_.size() - run_begins_.back();
    const std::int32_t end = own > 0 ? runs_.back().first + runs_.back().count : 0;
    if (own > 0 && c.other <= end + kGap) {
      weights_.resize(weights_.size() + at(c.other - end));
      runs_.back().count += c.other - end + 1;
    } else {
      runs_.push_back({c.other, 1, weights_.size()});
    }
    weights_.push_back(c.weight);
  }
}

/// Lists variables of other rows that gain by equal values; empty if there are none.
void Chains::find_twins(const std::vector<Bundles::Row>& couplings, Pace& pace) {
  twins_.resize(order_.size());
  bool any = false;
  for (std::size_t i = 0; i < order_.size() && !pace.stopped(); ++i) {
    for (const qubo::Coupling& c : couplings[i]) {
      if (twins_[i].size() <= kMaxTwins && c.weight < 0.0 &&
          !shares_row(static_cast<std::int32_t>(i), c.other)) {
        twins_[i].push_back(c.other);
      }
    }
    (void)pace(4 * std::ssize(couplings[i]));
    if (twins_[i].size() > kMaxTwins) {
      twins_[i].clear();
    }
    any = any || !twins_[i].empty();
  }
  if (!any) {
    twins_.clear();
  }
}

bool Chains::shares_row(std::int32_t i, std::int32_t k) const {
  return std::ranges::any_of(effects(i), [&](const Effect& e) {
    return std::ranges::find(effects(k), e.row, &Effect::row) != effects(k).end();
  });
}

bool Chains::same_rows(std::int32_t i, std::int32_t k) const {
  return std::ranges::equal(effects(i), effects(k), {}, &Effect::row, &Effect::row);
}

}  // namespace oa::solve
