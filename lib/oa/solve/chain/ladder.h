#pragma once

#include "oa/solve/chain/chain.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Replica exchange (Hukushima and Nemoto 1996): chains at decreasing temperatures.
/// After each sweep, neighbours exchange states, alternately from even and from odd
/// positions (Okabe et al. 2001).  The distribution of each chain does not change.
template <class AnyChain>
class LadderOf {
 public:
  /// Creates chains at `count` temperatures from `hot` to `cold`, in equal ratios.
  /// `problem` must outlive this.
  LadderOf(const typename AnyChain::Problem& problem,
           double hot,
           double cold,
           int count,
           const Rng& rng);

  void begin(std::span<const std::uint8_t> x);
  void begin_at_random();

  /// Sweeps all chains and exchanges states.  Returns false if stopped.
  bool step(Pace& pace);

  /// Moves inner temperatures so that all neighbours exchange equally often,
  /// according to the rates since the last call (Syed et al. 2022).
  void adapt();

  [[nodiscard]] int size() const { return static_cast<int>(chains_.size()); }
  /// The chain at temperature k; 0 is the hottest.
  [[nodiscard]] const AnyChain& chain(int k) const {
    return chains_[at_[static_cast<std::size_t>(k)]];
  }
  [[nodiscard]] const AnyChain& coldest() const { return chain(size() - 1); }
  [[nodiscard]] double temperature(int k) const {
    return temperatures_[static_cast<std::size_t>(k)];
  }
  /// The lowest exchange rate of neighbours since adapt().
  [[nodiscard]] double exchange_rate() const;
  /// The accepted share of the flips proposed at temperature k since adapt().
  [[nodiscard]] double acceptance(int k) const;
  /// Sets the highest and lowest temperature; inner temperatures move in proportion.
  void stretch(double hot, double cold);

 private:
  std::vector<double> temperatures_;
  std::vector<AnyChain> chains_;
  std::vector<std::size_t> at_;  // the chain at each temperature
  std::vector<double> rates_;    // sums of exchange probabilities
  std::vector<std::int64_t> tries_;
  std::vector<std::int64_t> proposed_;  // for each temperature
  std::vector<std::int64_t> accepted_;
  std::int64_t steps_ = 0;
  std::int64_t work_;
  Rng rng_;
};

extern template class LadderOf<Chain>;
using Ladder = LadderOf<Chain>;

}  // namespace oa::solve
