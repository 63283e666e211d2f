#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/flips.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A polynomial with the scale of its gains.  Chains share it.
class FlipProblem {
 public:
  FlipProblem(const WholePolynomial& p, const Stop& stop);

  [[nodiscard]] int size() const { return table_.size(); }
  /// How much a flip changes the value, typically.
  [[nodiscard]] double spread() const { return spread_; }
  /// Numbers touched by a sweep, for pacing.
  [[nodiscard]] std::int64_t touched() const { return touched_; }
  [[nodiscard]] const FlipTable& table() const { return table_; }
  /// What a gain of 1 is.
  [[nodiscard]] double unit() const { return unit_; }

 private:
  FlipTable table_;
  double unit_;
  double spread_;
  std::int64_t touched_ = 0;
};

/// A Markov chain as Chain, over the x of a polynomial: a sweep draws every variable
/// once, given the others.
class FlipChain {
 public:
  using Problem = FlipProblem;

  FlipChain(const FlipProblem& problem, const Rng& rng);

  void begin(std::span<const std::uint8_t> x) { state_.set(x); }
  void begin(const FlipChain& other) { state_ = other.state_; }
  void begin_at_random();

  void sweep(double temperature);
  void descend(Pace& pace);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return state_.x(); }
  /// Without the constant.
  [[nodiscard]] double energy() const {
    return problem_->unit() * static_cast<double>(state_.value());
  }
  [[nodiscard]] std::int64_t proposed() const { return proposed_; }
  [[nodiscard]] std::int64_t accepted() const { return accepted_; }

 private:
  const FlipProblem* problem_;
  Rng rng_;
  FlipState state_;
  std::int64_t proposed_ = 0;
  std::int64_t accepted_ = 0;
};

}  // namespace oa::solve
