#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/method/collector.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// The number of reads in parallel, one in each lane of a line.  All do the same with a
/// variable, so a coupling is loaded once for all.
inline constexpr int kReplicas = num::kFloatLine;

/// Random numbers for each lane: xoshiro128+ (Blackman and Vigna, "Scrambled linear
/// pseudorandom number generators", 2021), seeded by oa::Rng, which is too slow to draw
/// them all.
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

/// The lowest state that each of 16 reads has seen.
class BestStates {
 public:
  explicit BestStates(int n) : reads_(static_cast<std::size_t>(n)) {}

  [[nodiscard]] std::size_t size() const { return reads_.size(); }

  /// Forgets the states.
  void clear();

  /// Takes each of 16 states that is lower than before; `sign` is negative where x is
  /// 1.
  void update(std::span<const num::FloatLine> sign, const num::FloatLine& energy);

  /// Which reads to offer.
  enum class Which : std::uint8_t {
    Lowest,
    Ties,  ///< the lowest, and those that equal it in floats
    All,
  };

  /// Calls offer(x) for the chosen ones of the first `reads`, if they have seen a
  /// state.
  void each(int reads,
            Which which,
            const std::function<void(std::span<const std::uint8_t>)>& offer);

 private:
  std::vector<std::uint16_t> reads_;  // of a variable: bit l is its x in read l
  num::FloatLine lowest_{};
  std::vector<std::uint8_t> x_;
};

/// Does as many reads as the settings say, 16 at a time. run(rng, round) does them,
/// updates `best`, and returns whether it was stopped.
template <class Run>
[[nodiscard]] Result run_reads(const Settings& settings,
                               const Rng& rng,
                               const Stop& stop,
                               BestStates& best,
                               Collector& found,
                               const Run& run) {
  using Which = BestStates::Which;
  const int reads = settings.until(stop)  ? std::numeric_limits<int>::max() - kReplicas
                    : settings.reads == 0 ? kReplicas
                                          : settings.reads;
  bool stopped = false;
  for (int done = 0; done < reads && !stopped; done += kReplicas) {
    const int round = done / kReplicas;
    stopped = run(rng.fork(static_cast<std::uint64_t>(round)), round);
    const Which which = found.top() > 1 ? Which::All
                        : stopped       ? Which::Lowest
                                        : Which::Ties;
    best.each(
        std::min(reads - done, kReplicas), which, [&](auto x) { found.offer(x); });
  }
  if (found.pool().best().empty()) {  // stopped before the first
    found.offer(std::vector<std::uint8_t>(best.size()));
  }
  return found.take_result(stopped);
}

/// The length of run number `round` if the first is `length` long: doubled each time,
/// for a search until stopped.
[[nodiscard]] inline int grown(int length, int round) {
  constexpr std::int64_t kMax = 1 << 24;
  return static_cast<int>(std::max<std::int64_t>(
      length, std::min(kMax, std::int64_t{length} << std::min(round, 24))));
}

/// field_i = own_i + sum over k of J_ik x_k in each lane.  False if stopped; the fields
/// are then invalid.
[[nodiscard]] bool replica_fields(const Couplings& j,
                                  std::span<const float> own,
                                  std::span<const num::FloatLine> x,
                                  std::span<num::FloatLine> field,
                                  Pace& pace);

/// E(x) = 1/2 sum of x_i (own_i + field_i) in each lane.
[[nodiscard]] num::FloatLine replica_energies(std::span<const float> own,
                                              std::span<const num::FloatLine> x,
                                              std::span<const num::FloatLine> field);

/// Flips variables that lower the energy, one by one, until none does, or until
/// stopped.  `sign` is 1 where x is 0 and -1 where it is 1; `field` and `energy` stay
/// consistent with it.
void replica_descend(const Couplings& j,
                     std::span<num::FloatLine> sign,
                     std::span<num::FloatLine> field,
                     num::FloatLine& energy,
                     Pace& pace);

}  // namespace oa::solve
