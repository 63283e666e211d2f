#include "oa/solve/polynomial/penalty_state.h"

#include "oa/base/index.h"

#include <numeric>

namespace oa::solve {

PenaltyState::PenaltyState(const Penalties& penalties)
    : all_(&penalties),
      use_begins_(at(penalties.n) + 1),
      uses_(penalties.literals.size()),
      value_(at(penalties.n), kOpen),
      unary_(penalties.unary),
      odd_(penalties.terms.size()),
      ended_(penalties.terms.size()),
      end_(penalties.terms.size()),
      paid_(penalties.constant) {
  for (const Literal l : penalties.literals) {
    ++use_begins_[at(variable_of(l)) + 1];
  }
  std::partial_sum(use_begins_.begin(), use_begins_.end(), use_begins_.begin());
  std::vector<std::size_t> next = use_begins_;
  for (std::size_t t = 0; t < penalties.terms.size(); ++t) {
    left_.push_back(static_cast<std::int32_t>(penalties.of(t).size()));
    for (const Literal l : penalties.of(t)) {
      uses_[next[at(variable_of(l))]++] = {static_cast<std::int32_t>(t), l};
    }
  }
}

/// The cost of a term's only open literal, for the value with which the term costs.
Whole& PenaltyState::last_cost(std::size_t term) {
  const auto literals = all_->of(term);
  std::size_t k = 0;
  while (!free(variable_of(literals[k]))) {
    ++k;
  }
  const Pays pays = all_->terms[term].pays;
  const bool if_true = pays == Pays::IfAll || (pays == Pays::IfOdd && !odd(term));
  return unary_[at(if_true ? literals[k] : negated(literals[k]))];
}

void PenaltyState::assign(Literal literal) {
  const int i = variable_of(literal);
  paid_ += unary_[at(literal)];
  value_[at(i)] = static_cast<std::uint8_t>(literal & 1);
  const auto place = static_cast<std::uint32_t>(trail_.size());
  trail_.push_back(literal);
  for (const Use use : uses(i)) {
    const auto t = at(use.term);
    if (ended_[t] != 0) {
      continue;
    }
    const Penalties::Term term = all_->terms[t];
    const bool is_true = use.literal == literal;
    if (term.pays == Pays::IfOdd) {
      odd_[t] ^= is_true ? 1U : 0U;
    } else if (!is_true) {
      paid_ += term.pays == Pays::UnlessAll && left_[t] >= 2 ? term.cost : Whole{0};
      ended_[t] = 1;
      end_[t] = place;
      continue;
    }
    if (--left_[t] == 1) {
      last_cost(t) += term.cost;
    }
  }
}

void PenaltyState::undo_last() {
  const Literal literal = trail_.back();
  trail_.pop_back();
  const auto place = static_cast<std::uint32_t>(trail_.size());
  const int i = variable_of(literal);
  for (const Use use : uses(i)) {
    const auto t = at(use.term);
    const Penalties::Term term = all_->terms[t];
    if (ended_[t] != 0) {
      if (end_[t] == place) {
        ended_[t] = 0;
        paid_ -= term.pays == Pays::UnlessAll && left_[t] >= 2 ? term.cost : Whole{0};
      }
      continue;
    }
    if (left_[t]++ == 1) {
      last_cost(t) -= term.cost;
    }
    odd_[t] ^= term.pays == Pays::IfOdd && use.literal == literal ? 1U : 0U;
  }
  value_[at(i)] = kOpen;
  paid_ -= unary_[at(literal)];
}

void PenaltyState::undo(std::size_t count) {
  while (trail_.size() > count) {
    undo_last();
  }
}

}  // namespace oa::solve
