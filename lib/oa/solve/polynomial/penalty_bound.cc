#include "oa/solve/polynomial/penalty_bound.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {

PenaltyBound::PenaltyBound(const PenaltyState& state, const Stop& stop)
    : state_(state),
      pace_(stop),
      unary_(at(state.penalties().n)),
      good_(at(state.penalties().n)),
      place_(at(state.penalties().n), -1),
      seen_(at(state.penalties().n)) {}

/// Restores all costs, and pays for the better value of each variable.
void PenaltyBound::begin() {
  const Penalties& all = state_.penalties();
  bound_ = state_.paid();
  free_.clear();
  for (std::int32_t i = 0; i < all.n; ++i) {
    if (!state_.free(i)) {
      continue;
    }
    free_.push_back(i);
    const Whole zero = state_.cost(2 * i);
    const Whole one = state_.cost(2 * i + 1);
    bound_ += std::min(zero, one);
    unary_[at(i)] = zero < one ? one - zero : zero - one;
    good_[at(i)] = 2 * i + (one < zero ? 1 : 0);
  }
  term_.resize(all.terms.size());
  open_unless_.clear();
  for (std::size_t t = 0; t < all.terms.size(); ++t) {
    term_[t] = state_.open(t) ? all.terms[t].cost : Whole{0};
    if (term_[t] > 0 && all.terms[t].pays == Pays::UnlessAll) {
      open_unless_.push_back(static_cast<std::int32_t>(t));
    }
  }
  work_ += std::ssize(all.terms) + all.n;
}

bool PenaltyBound::has(Literal literal) const {
  const std::int32_t place = place_[at(variable_of(literal))];
  return place >= 0 && implied_[at(place)].literal == literal;
}

/// Implies a literal.  Returns false if its negation is implied, too.
bool PenaltyBound::imply(const Implied& implied) {
  const int i = variable_of(implied.literal);
  if (place_[at(i)] < 0) {
    place_[at(i)] = static_cast<std::int32_t>(implied_.size());
    implied_.push_back(implied);
    return true;
  }
  if (implied_[at(place_[at(i)])].literal == implied.literal) {
    return true;
  }
  explain(implied.term, i);
  explain_variable(i);
  return false;
}

/// Follows a term after its `literal`, or the negation, was implied.
/// Returns false for a contradiction.
bool PenaltyBound::use(std::size_t term, Literal literal) {
  const Penalties& all = state_.penalties();
  const Pays pays = all.terms[term].pays;
  const auto literals = all.of(term);
  work_ += std::ssize(literals);
  if (pays != Pays::IfOdd && has(negated(literal))) {
    if (pays == Pays::UnlessAll) {
      explain(static_cast<std::int32_t>(term), -1);
      explain_variable(variable_of(literal));
      return false;
    }
    return true;
  }
  if (pays == Pays::UnlessAll) {
    return true;  // holds from the start, for all literals
  }
  Literal last = -1;
  bool odd = state_.odd(term);
  Whole strength = term_[term];
  for (const Literal l : literals) {
    const int i = variable_of(l);
    if (!state_.free(i)) {
      continue;
    }
    const std::int32_t place = place_[at(i)];
    if (place < 0) {
      if (last >= 0) {
        return true;
      }
      last = l;
      continue;
    }
    const bool is_true = implied_[at(place)].literal == l;
    if (pays == Pays::IfAll && !is_true) {
      return true;
    }
    odd ^= is_true;
    strength = std::min(strength, implied_[at(place)].strength);
  }
  const auto t = static_cast<std::int32_t>(term);
  if (last < 0) {
    if (pays == Pays::IfOdd && !odd) {
      return true;
    }
    explain(t, -1);
    return false;
  }
  const bool wants_true = pays == Pays::IfOdd && odd;
  return imply({wants_true ? last : negated(last), t, strength});
}

/// Unit propagation over constraints with remaining cost.
/// For a contradiction, explains its reasons and returns false.
bool PenaltyBound::propagate() {
  for (const Implied& old : implied_) {
    place_[at(variable_of(old.literal))] = -1;
  }
  implied_.clear();
  core_terms_.clear();
  core_variables_.clear();
  ++round_;
  for (const std::int32_t i : free_) {
    if (unary_[at(i)] > 0) {
      (void)imply({good_[at(i)], kUnary, unary_[at(i)]});
    }
  }
  for (const std::int32_t t : open_unless_) {
    if (term_[at(t)] == 0) {
      continue;
    }
    for (const Literal l : state_.penalties().of(at(t))) {
      if (state_.free(variable_of(l)) && !imply({l, t, term_[at(t)]})) {
        return false;
      }
    }
  }
  work_ += std::ssize(free_) + std::ssize(open_unless_);
  for (std::size_t k = 0; k < implied_.size(); ++k) {
    const int i = variable_of(implied_[k].literal);
    for (const PenaltyState::Use u : state_.uses(i)) {
      if (term_[at(u.term)] > 0 && !use(at(u.term), u.literal)) {
        return false;
      }
    }
    work_ += std::ssize(state_.uses(i));
  }
  return true;
}

/// Adds a term to the core; queues its variables, except `but`, for explanation.
void PenaltyBound::explain(std::int32_t term, int but) {
  core_terms_.push_back(term);
  if (state_.penalties().terms[at(term)].pays == Pays::UnlessAll) {
    return;
  }
  for (const Literal l : state_.penalties().of(at(term))) {
    if (variable_of(l) != but && state_.free(variable_of(l))) {
      explain_variable(variable_of(l));
    }
  }
}

void PenaltyBound::explain_variable(int variable) {
  if (seen_[at(variable)] != round_) {
    seen_[at(variable)] = round_;
    why_.push_back(variable);
  }
}

/// Moves the least cost in the contradiction's core to the bound.
void PenaltyBound::take_core() {
  while (!why_.empty()) {
    const int i = why_.back();
    why_.pop_back();
    const std::int32_t term = implied_[at(place_[at(i)])].term;
    if (term == kUnary) {
      core_variables_.push_back(i);
    } else {
      explain(term, i);
    }
  }
  std::ranges::sort(core_terms_);
  const auto repeated = std::ranges::unique(core_terms_);
  core_terms_.erase(repeated.begin(), repeated.end());
  Whole least = -1;
  const auto look = [&](Whole cost) {
    least = least < 0 ? cost : std::min(least, cost);
  };
  for (const std::int32_t t : core_terms_) {
    look(term_[at(t)]);
  }
  for (const std::int32_t i : core_variables_) {
    look(unary_[at(i)]);
  }
  for (const std::int32_t t : core_terms_) {
    term_[at(t)] -= least;
  }
  for (const std::int32_t i : core_variables_) {
    unary_[at(i)] -= least;
  }
  bound_ += least;
}

bool PenaltyBound::compute(Whole most) {
  begin();
  forced_.clear();
  bool settled = false;
  for (std::int64_t told = work_; bound_ <= most && !settled; told = work_) {
    settled = propagate();
    if (!settled) {
      take_core();
    }
    if (pace_(work_ - told)) {
      break;
    }
  }
  if (bound_ > most) {
    return false;
  }
  for (const Implied& implied : implied_) {
    if (settled && implied.strength > most - bound_) {
      forced_.push_back(implied.literal);
    }
  }
  return true;
}

}  // namespace oa::solve
