#include "oa/solve/polynomial/penalty_search.h"

#include "oa/base/index.h"
#include "oa/solve/polynomial/penalty_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace oa::solve {
namespace {

/// The greatest common divisor of all costs.
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

/// Returns units * 2^unit, rounded down.
double rounded_down(Whole units, int unit) {
  const TwoDoubles two = in_doubles(units, unit);
  return two.rest < 0.0
             ? std::nextafter(two.value, -std::numeric_limits<double>::infinity())
             : two.value;
}

class PenaltySearch {
 public:
  PenaltySearch(const PolynomialTask& task,
                const std::vector<Solution>& known,
                std::int64_t work,
                const Stop& stop)
      : task_(task),
        several_(task.settings.top > 1),
        all_(penalties_of(task.p)),
        step_(step_of(all_)),
        state_(all_),
        bound_(state_, stop),
        pool_(task.settings.top),
        most_work_(work),
        pace_(stop) {
    for (const Solution& s : known) {
      take(s.x);
    }
    if (!several_ && is_even(task.p)) {
      state_.assign(0);  // -x has the same value as x
      halved_ = true;
    }
  }

  Branched run() {
    constexpr int kRounds = 4;
    lower_ = bound_.compute(best_) ? bound_.bound() : best_;
    const Whole root = lower_;
    const Whole part = (best_ - step_ - root) / kRounds;
    bool complete = true;
    report();
    for (int k = several_ ? kRounds : 1; complete && (several_ || lower_ < best_);
         ++k) {
      most_ = k < kRounds ? value_below(std::max(root + k * part, lower_)) : best_;
      complete = round();
      lower_ = complete ? most_ + step_ : std::max(lower_, open_bound());
      report();
      if (several_) {
        break;
      }
    }
    Branched end{result(complete && lower_ >= best_), 1.0};
    if (lower_ < best_) {
      end.closed =
          static_cast<double>(lower_ - root) / static_cast<double>(best_ - root);
    }
    return end;
  }

  std::optional<std::uint64_t> count() {
    counting_ = true;
    most_ = best_;
    if (!round()) {
      return std::nullopt;
    }
    return halved_ ? sum(count_, count_) : count_;
  }

 private:
  /// A branch that is still open, at a position of the state's trail.
  struct Branch {
    std::size_t assigned;
    Literal literal;
    Whole bound;
  };

  /// The largest possible value of the polynomial up to `most`.
  [[nodiscard]] Whole value_below(Whole most) const {
    return most - (most - all_.constant) % step_;
  }

  /// Only values up to most() are searched.
  [[nodiscard]] Whole most() const {
    if (several_) {
      return pool_.full() ? worst_ : kEndless;
    }
    return counting_ ? most_ : std::min(most_, best_ - step_);
  }

  /// Searches all values up to most().  Returns false if stopped or at a limit.
  bool round() {
    const std::size_t fixed = state_.assigned();
    node_bound_ = lower_;
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
          node_bound_ = bound_.bound();
          branches_.push_back({state_.assigned(), negated(next), node_bound_});
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
      node_bound_ = branches_.back().bound;
      branches_.pop_back();
    }
  }

  /// Sets variables whose other value costs too much.
  /// Returns false if no solution has a value of at most most().
  bool settle() {
    for (;;) {
      if (!bound_.compute(most()) || (several_ && comes_late())) {
        return false;
      }
      for (const Literal l : bound_.forced()) {
        state_.assign(l);
      }
      if (!bound_.forced().empty()) {
        continue;
      }
      weigh();
      if (!take_dominant()) {
        return true;
      }
    }
  }

  /// For each literal, weighs the open terms that it may cause; long terms count less.
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
        const Literal bad = term.pays == Pays::UnlessAll ? negated(l) : l;
        harm_[at(bad)] += term.cost;
        score_[at(bad)] += near;
        if (term.pays == Pays::IfOdd) {
          harm_[at(negated(l))] += term.cost;
          score_[at(negated(l))] += near;
        }
      }
      work_ += state_.left(t);
    }
    work_ += std::ssize(all_.terms);
  }

  /// True if the listed solutions precede all remaining solutions lexicographically.
  [[nodiscard]] bool comes_late() const {
    if (!pool_.full() || bound_.bound() < worst_) {
      return false;
    }
    for (int i = 0; i < all_.n; ++i) {
      const std::uint8_t least = state_.free(i) ? 0 : state_.value(i);
      if (least != pool_.worst().x[at(i)]) {
        return least > pool_.worst().x[at(i)];
      }
    }
    return true;
  }

  /// Sets variables whose other value is never better;
  /// if optima are counted, only those whose other value is worse.
  bool take_dominant() {
    bool any = false;
    const Whole least = counting_ ? 1 : 0;
    for (std::int32_t i = 0; i < all_.n && !several_; ++i) {
      if (!state_.free(i)) {
        continue;
      }
      const Whole zero = state_.cost(2 * i);
      const Whole one = state_.cost(2 * i + 1);
      if (zero + harm_[at(2 * i)] + least <= one) {
        state_.assign(2 * i);
        any = true;
      } else if (one + harm_[at(2 * i + 1)] + least <= zero) {
        state_.assign(2 * i + 1);
        any = true;
      }
    }
    return any;
  }

  /// Returns the literal to branch on; -1 if no variable is open.
  [[nodiscard]] Literal choose() const {
    double most = -1.0;
    Literal chosen = -1;
    if (counting_ && std::ranges::all_of(harm_, [](Whole h) { return h == 0; })) {
      return chosen;  // only equal costs remain
    }
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

  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    return a > kMax - b ? kMax : a + b;
  }

  /// Stores the x of the state.
  void finish() {
    if (counting_) {
      std::uint64_t here = 1;
      for (int i = 0; i < all_.n; ++i) {
        here = state_.free(i) ? sum(here, here) : here;
      }
      count_ = sum(count_, here);
      return;
    }
    std::vector<std::uint8_t> x(at(all_.n));
    for (int i = 0; i < all_.n; ++i) {
      x[at(i)] = state_.value(i);
    }
    take(x);
  }

  void take(std::span<const std::uint8_t> x) {
    const TwoDoubles energy = task_.p.energy(x);
    const bool better = pool_.best().empty() || energy < pool_.best().front().value();
    pool_.insert(energy, x);
    best_ = units(pool_.best().front());
    worst_ = units(pool_.worst());
    if (better && task_.improved) {
      task_.improved(x);
    }
  }

  [[nodiscard]] Whole units(const Solution& s) const {
    return in_units(s.energy, all_.unit) + in_units(s.rest, all_.unit);
  }

  [[nodiscard]] Whole open_bound() const {
    Whole least = node_bound_;
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

  Result result(bool proved) {
    Result result;
    result.nodes = nodes_;
    result.status = proved ? qubo::Status::ProvedOptimal : qubo::Status::Stopped;
    result.bound = rounded_down(std::min(lower_, best_), all_.unit);
    result.best = pool_.take_best();
    result.proof = "branching";
    return result;
  }

  static constexpr Whole kEndless = Whole{1} << 125;

  const PolynomialTask& task_;
  bool several_;  // several solutions are requested
  Penalties all_;
  Whole step_;
  PenaltyState state_;
  PenaltyBound bound_;
  Pool pool_;
  std::int64_t most_work_;
  Pace pace_;
  bool halved_ = false;
  bool counting_ = false;
  std::uint64_t count_ = 0;
  Whole best_ = 0;
  Whole worst_ = 0;
  Whole lower_ = 0;
  Whole most_ = 0;
  Whole node_bound_ = 0;  // of the current node or its parent
  std::int64_t nodes_ = 0;
  std::int64_t work_ = 0;
  std::int64_t told_ = 0;
  std::vector<Branch> branches_;
  std::vector<Whole> harm_;
  std::vector<double> score_;
};

}  // namespace

bool may_branch(const WholePolynomial& p) {
  constexpr std::size_t kMaxMonomials = 50'000;
  constexpr int kMaxDigits = 100;  // of the sum of weights
  return p.size() <= kMaxMonomials && p.digits <= kMaxDigits;
}

Branched search_penalties(const PolynomialTask& task,
                          const std::vector<Solution>& known,
                          std::int64_t work,
                          const Stop& stop) {
  return PenaltySearch(task, known, work, stop).run();
}

std::optional<std::uint64_t> count_optima(const WholePolynomial& p,
                                          const Solution& best,
                                          std::int64_t work,
                                          const Stop& stop) {
  const PolynomialTask task{.p = p};
  return may_branch(p) ? PenaltySearch(task, {best}, work, stop).count() : std::nullopt;
}

}  // namespace oa::solve
