#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/solve/collector.h"
#include "oa/solve/couplings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::solve {

/// Sixteen reads side by side, one in each lane of a line: what is done to a variable
/// is done to all, and a coupling is loaded once for all.
inline constexpr int kReplicas = num::kFloatLine;

/// Random numbers for each lane: xoshiro128+ (Blackman and Vigna, "Scrambled linear
/// pseudorandom number generators", 2021), seeded by ours, which would take most of the
/// time if it drew them all.
struct alignas(64) LaneRandom {
  std::uint32_t word[4][kReplicas];

  explicit LaneRandom(Rng rng) {
    for (auto& lanes : word) {
      for (std::uint32_t& bits : lanes) {
        bits = rng.u32();
      }
    }
  }
};

/// The lowest state that each of sixteen reads has seen.
class BestStates {
 public:
  explicit BestStates(int n) : sign_(static_cast<std::size_t>(n)) {}

  /// Forgets all; any state is lower.
  void clear();

  /// Takes those of 16 states that are lower than before; `sign` is negative where x
  /// is 1.
  void update(std::span<const num::FloatLine> sign, const num::FloatLine& energy);

  /// Brings the lowest of the first `reads` to a collector, or all of these if it wants
  /// more than one.
  void offer_to(Collector& found, int reads);

  /// Calls offer(x) for the lowest of the first `reads`, ties as floats see them
  /// included, or for each of these.
  void each(int reads,
            bool all,
            const std::function<void(std::span<const std::uint8_t>)>& offer);

 private:
  std::vector<num::FloatLine> sign_;
  num::FloatLine lowest_{};
  std::vector<std::uint8_t> x_;
};

/// `reads` reads, sixteen at a time: `run` makes them, into `best`, from the random
/// numbers it is given, and returns whether it was stopped.
template <class Run>
[[nodiscard]] Result run_reads(
    int reads, const Rng& rng, BestStates& best, Collector& found, const Run& run) {
  bool stopped = false;
  for (int done = 0; done < reads && !stopped; done += kReplicas) {
    stopped = run(rng.fork(static_cast<std::uint64_t>(done / kReplicas)));
    best.offer_to(found, std::min(reads - done, kReplicas));
  }
  return found.take(stopped);
}

/// field_i = own_i + sum over k of J_ik x_k in each lane.
void replica_fields(const Couplings& j,
                    std::span<const float> own,
                    std::span<const num::FloatLine> x,
                    std::span<num::FloatLine> field);

/// E(x) = 1/2 sum of x_i (own_i + field_i) in each lane.
[[nodiscard]] num::FloatLine replica_energies(std::span<const float> own,
                                              std::span<const num::FloatLine> x,
                                              std::span<const num::FloatLine> field);

/// Flips, variable by variable, whatever lowers the energy until nothing does.  `sign`
/// is 1 where x is 0 and -1 where it is 1; `field` and `energy` belong to it and stay
/// so.
void replica_descend(const Couplings& j,
                     std::span<num::FloatLine> sign,
                     std::span<num::FloatLine> field,
                     num::FloatLine& energy);

}  // namespace oa::solve
