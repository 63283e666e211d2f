#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/flips.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A polynomial with the scale of its gains, for all chains.
class FlipProblem {
 public:
  FlipProblem(const WholePolynomial& p, const Stop& stop);

  [[nodiscard]] int size() const { return table_.size(); }
  /// The typical change of the value by a flip.
  [[nodiscard]] double spread() const { return spread_; }
  /// The number of numbers that a sweep reads, for pacing.
  [[nodiscard]] std::int64_t touched() const { return touched_; }
  [[nodiscard]] const FlipTable& table() const { return table_; }
  /// The value of a gain of 1.
  [[nodiscard]] double unit() const { return unit_; }

 private:
  FlipTable table_;
  double unit_;
  double spread_;
  std::int64_t touched_ = 0;
};

/// A Markov chain as Chain, but over the x of a polynomial:
/// a sweep draws every variable once, given all other variables.
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
  /// The energy without the constant.
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
