#pragma once

#include "oa/solve/chain/chain.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Replica exchange (Hukushima and Nemoto 1996): chains at falling temperatures, which
/// neighbours exchange after each sweep, in turn those of even and odd number (Okabe et
/// al. 2001).  Each chain keeps its distribution.
template <class AnyChain>
class LadderOf {
 public:
  /// `count` temperatures from `hot` to `cold`, in equal ratios.  `problem` must
  /// outlive this.
  LadderOf(const typename AnyChain::Problem& problem,
           double hot,
           double cold,
           int count,
           const Rng& rng);

  void begin(std::span<const std::uint8_t> x);
  void begin_at_random();

  /// Sweeps all chains and exchanges temperatures.  Returns false if stopped.
  bool step(Pace& pace);

  /// Places the temperatures between the ends so that all neighbours exchange equally
  /// often, by the rates since the last call (Syed et al. 2022).
  void adapt();

  [[nodiscard]] int size() const { return static_cast<int>(chains_.size()); }
  /// The chain at temperature number k, from the hottest.
  [[nodiscard]] const AnyChain& chain(int k) const {
    return chains_[at_[static_cast<std::size_t>(k)]];
  }
  [[nodiscard]] const AnyChain& coldest() const { return chain(size() - 1); }
  [[nodiscard]] double temperature(int k) const {
    return temperatures_[static_cast<std::size_t>(k)];
  }
  /// The lowest rate of exchange between neighbours since adapt().
  [[nodiscard]] double exchange_rate() const;
  /// The share of proposed changes that were accepted at temperature number k since
  /// adapt().
  [[nodiscard]] double acceptance(int k) const;
  /// Sets the ends; the temperatures between move in proportion.
  void stretch(double hot, double cold);

 private:
  std::vector<double> temperatures_;
  std::vector<AnyChain> chains_;
  std::vector<std::size_t> at_;  // the chain at each temperature
  std::vector<double> rates_;    // sums of probabilities of exchange
  std::vector<std::int64_t> tries_;
  std::vector<std::int64_t> proposed_;  // at each temperature
  std::vector<std::int64_t> accepted_;
  std::int64_t steps_ = 0;
  std::int64_t work_;
  Rng rng_;
};

extern template class LadderOf<Chain>;
using Ladder = LadderOf<Chain>;

}  // namespace oa::solve
