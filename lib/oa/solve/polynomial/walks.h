#pragma once

#include "oa/base/rng.h"
#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/flips.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::solve {

/// A walk by flips that keeps its best x.
class Walk {
 public:
  /// Called for each value below all earlier values.
  using Improved = std::function<void(const FlipState&)>;

  /// Starts at 0.  Ends when `enough` becomes true.
  Walk(const FlipTable& table,
       const Stop& stop,
       const std::atomic<bool>& enough,
       Improved improved)
      : state_(table),
        pace_(stop),
        stop_(&stop),
        enough_(&enough),
        improved_(std::move(improved)),
        best_(state_.value()) {}

  /// Forgets the best x and restarts at x.
  void begin(std::span<const std::uint8_t> x);
  /// Restarts at random values.
  void begin(Rng& rng);

  void flip(int i) {
    const std::int64_t gain = state_.gains()[static_cast<std::size_t>(i)];
    if (pending_ && gain > 0) {
      keep();
    }
    state_.flip(i);
    rest(state_.table().work(i));
    if (state_.value() < best_) {
      best_ = state_.value();
      pending_ = true;
    }
  }

  /// Flips variables as long as the value falls.
  void descend();

  /// Adds work that is not flips.
  void rest(std::int64_t work) { (void)pace_(work); }
  /// True if stopped, or if `enough` is true.
  [[nodiscard]] bool ended() const { return pace_.stopped() || *enough_; }
  [[nodiscard]] const Stop& stop() const { return *stop_; }

  [[nodiscard]] const FlipState& state() const { return state_; }
  [[nodiscard]] std::int64_t best() const { return best_; }
  [[nodiscard]] std::span<const std::uint8_t> best_x() {
    if (pending_) {
      keep();
    }
    return best_x_;
  }

 private:
  void keep();

  FlipState state_;
  Pace pace_;
  const Stop* stop_;
  const std::atomic<bool>* enough_;
  Improved improved_;
  std::int64_t best_;
  std::vector<std::uint8_t> best_x_;
  bool pending_ = true;  // the current x is the best
};

/// The scale for temperatures: the variation of gains between random x,
/// and the smallest step between values.  The spread is 0 if stopped.
struct GainScale {
  double spread = 0.0;
  double step = 0.0;
};
[[nodiscard]] GainScale gain_scale(const FlipTable& table, Rng rng, const Stop& stop);

/// Sweeps at falling temperatures in at most `part` of the remaining
/// time, then descends.
void anneal(Walk& walk, const Temperatures& temperatures, double part, Rng rng);

/// Repeatedly flips the variable of least gain that was not flipped recently,
/// or whose flip improves on the best x.
void search_tabu(Walk& walk, std::int64_t steps, Rng rng);

/// Replica exchange (Hukushima and Nemoto 1996):
/// sweeps at 16 fixed temperatures and exchanges states.  All walks must share a table.
void exchange_replicas(std::span<Walk> walks,
                       const Temperatures& temperatures,
                       int sweeps,
                       Rng rng);

}  // namespace oa::solve
