#include "oa/solve/polynomial/penalty_search.h"

#include "oa/base/index.h"
#include "oa/solve/polynomial/penalty_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace oa::solve {
namespace {

using Kind = Penalties::Kind;

/// The largest number that divides all costs.
Whole step_of(const Penalties& all) {
  Whole step = 0;
  const auto take = [&](Whole cost) {
    while (cost != 0) {
      step %= cost;
      std::swap(step, cost);
    }
  };
  std::ranges::for_each(all.unary, take);
  for (const Penalties::Term& term : all.terms) {
    take(term.cost);
  }
  return std::max(step, Whole{1});
}

/// units * 2^unit, rounded down.
double rounded_down(Whole units, int unit) {
  const TwoDoubles two = in_doubles(units, unit);
  return two.rest < 0.0
             ? std::nextafter(two.value, -std::numeric_limits<double>::infinity())
             : two.value;
}

class PenaltySearch {
 public:
  PenaltySearch(const PolynomialTask& task,
                std::span<const std::uint8_t> known,
                std::int64_t work,
                const Stop& stop)
      : task_(task),
        all_(penalties_of(task.p)),
        step_(step_of(all_)),
        state_(all_),
        bound_(state_),
        pool_(task.settings.top),
        known_(known.begin(), known.end()),
        most_work_(work),
        pace_(stop),
        even_(task.settings.top == 1 && is_even(task.p)) {}

  Result run() {
    take(known_);
    if (even_) {
      state_.assign(0);
    }
    const bool first = bound_.compute(best_);
    lower_ = first ? bound_.bound() : best_;
    report();
    constexpr int kRounds = 4;
    Whole gap = best_ - step_ - lower_;
    bool complete = true;
    for (int k = 1; k <= kRounds && complete && lower_ < best_; ++k) {
      most_ = task_.settings.top > 1 || k == kRounds ? best_ : lower_ + gap / 4;
      complete = round();
      lower_ = std::min(best_, complete ? most_ + step_ : std::max(lower_, open_bound()));
      report();
    }
    return result(complete);
  }

 private:
  /// A branch that was left out, at a place of the state's trail.
  struct Branch {
    std::size_t assigned;
    Literal literal;
    Whole bound;
  };

  /// The value above which nothing is searched.
  [[nodiscard]] Whole most() const {
    if (task_.settings.top > 1) {
      return pool_.full() ? worst_ : most_;
    }
    return std::min(most_, best_ - step_);
  }

  /// Searches everything up to most().  False if it was cut short.
  bool round() {
    const std::size_t fixed = state_.assigned();
    for (;;) {
      if (nodes_ >= task_.settings.max_nodes || bound_.work() + work_ > most_work_ ||
          pace_(bound_.work() + work_ - told_)) {
        return false;
      }
      told_ = bound_.work() + work_;
      ++nodes_;
      if (settle()) {
        const Literal next = choose();
        if (next >= 0) {
          branches_.push_back({state_.assigned(), negated(next), bound_.bound()});
          state_.assign(next);
          continue;
        }
        finish();
      }
      while (!branches_.empty() && branches_.back().bound > most()) {
        branches_.pop_back();
      }
      if (branches_.empty()) {
        state_.undo(fixed);
        return true;
      }
      state_.undo(branches_.back().assigned);
      state_.assign(branches_.back().literal);
      branches_.pop_back();
    }
  }

  /// Gives values to all variables whose other values cost too much.  False if nothing
  /// up to most() is left.
  bool settle() {
    for (;;) {
      if (!bound_.compute(most())) {
        return false;
      }
      bool any = false;
      for (const Literal l : bound_.forced()) {
        any = true;
        state_.assign(l);
      }
      weigh();
      if (!any) {
        any = take_dominant();
      }
      if (!any) {
        return true;
      }
    }
  }

  /// What open terms may cost if a literal is true, and how near they come to it.
  void weigh() {
    harm_.assign(2 * at(all_.n), 0);
    score_.assign(2 * at(all_.n), 0.0);
    for (std::size_t t = 0; t < all_.terms.size(); ++t) {
      if (!state_.open(t)) {
        continue;
      }
      const Penalties::Term term = all_.terms[t];
      const double near = std::ldexp(static_cast<double>(term.cost),
                                     -2 * std::min(state_.left(t) - 2, 30));
      for (const Literal l : all_.of(t)) {
        if (!state_.free(variable_of(l))) {
          continue;
        }
        const Literal bad = term.kind == Kind::UnlessAll ? negated(l) : l;
        harm_[at(bad)] += term.cost;
        score_[at(bad)] += near;
        if (term.kind == Kind::IfOdd) {
          harm_[at(negated(l))] += term.cost;
          score_[at(negated(l))] += near;
        }
      }
      work_ += state_.left(t);
    }
    work_ += std::ssize(all_.terms);
  }

  /// Gives values to variables that cannot be better with the other one.
  bool take_dominant() {
    bool any = false;
    for (std::int32_t i = 0; i < all_.n && task_.settings.top == 1; ++i) {
      if (!state_.free(i)) {
        continue;
      }
      const Whole zero = state_.cost(2 * i);
      const Whole one = state_.cost(2 * i + 1);
      if (zero + harm_[at(2 * i)] <= one) {
        state_.assign(2 * i);
        any = true;
      } else if (one + harm_[at(2 * i + 1)] <= zero) {
        state_.assign(2 * i + 1);
        any = true;
      }
    }
    return any;
  }

  /// The literal to try first; -1 if nothing is open.
  [[nodiscard]] Literal choose() const {
    double most = -1.0;
    Literal chosen = -1;
    for (std::int32_t i = 0; i < all_.n; ++i) {
      if (!state_.free(i)) {
        continue;
      }
      const auto zero = static_cast<double>(state_.cost(2 * i)) + score_[at(2 * i)];
      const auto one =
          static_cast<double>(state_.cost(2 * i + 1)) + score_[at(2 * i + 1)];
      const double product = zero * one + 1e-3 * (zero + one);
      if (product > most) {
        most = product;
        chosen = 2 * i + (one < zero ? 1 : 0);
      }
    }
    return chosen;
  }

  /// Takes x with the values of the state.
  void finish() {
    std::vector<std::uint8_t> x(at(all_.n));
    for (int i = 0; i < all_.n; ++i) {
      x[at(i)] = state_.value(i);
    }
    take(x);
  }

  void take(std::span<const std::uint8_t> x) {
    const TwoDoubles energy = task_.p.energy(x);
    const Whole value = in_units(energy.value, all_.unit) + in_units(energy.rest, all_.unit);
    const bool better = pool_.best().empty() || value < best_;
    pool_.insert(energy, x);
    if (better) {
      best_ = value;
      if (task_.improved) {
        task_.improved(x);
      }
    }
    const TwoDoubles worst = pool_.worst().value();
    worst_ = in_units(worst.value, all_.unit) + in_units(worst.rest, all_.unit);
  }

  [[nodiscard]] Whole open_bound() const {
    Whole least = std::min(most_ + step_, best_);
    for (const Branch& branch : branches_) {
      least = std::min(least, branch.bound);
    }
    return least;
  }

  void report() {
    if (task_.bounded) {
      task_.bounded(rounded_down(std::min(lower_, best_), all_.unit));
    }
  }

  Result result(bool complete) {
    Result result;
    const bool proved = complete && lower_ >= best_;
    result.best = pool_.take_best();
    result.nodes = nodes_;
    result.status = proved ? qubo::Status::ProvedOptimal : qubo::Status::Stopped;
    result.bound = rounded_down(std::min(lower_, best_), all_.unit);
    result.proof = "branch";
    return result;
  }

  const PolynomialTask& task_;
  Penalties all_;
  Whole step_;
  PenaltyState state_;
  PenaltyBound bound_;
  Pool pool_;
  std::vector<std::uint8_t> known_;
  std::int64_t most_work_;
  Pace pace_;
  bool even_;
  Whole best_ = 0;
  Whole worst_ = 0;
  Whole lower_ = 0;
  Whole most_ = 0;
  std::int64_t nodes_ = 0;
  std::int64_t work_ = 0;
  std::int64_t told_ = 0;
  std::vector<Branch> branches_;
  std::vector<Whole> harm_;
  std::vector<double> score_;
};

}  // namespace

Result search_penalties(const PolynomialTask& task,
                        std::span<const std::uint8_t> known,
                        std::int64_t work,
                        const Stop& stop) {
  return PenaltySearch(task, known, work, stop).run();
}

}  // namespace oa::solve
