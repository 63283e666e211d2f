#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/method/collector.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
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
  explicit BestStates(int n) : reads_(static_cast<std::size_t>(n)) {}

  [[nodiscard]] std::size_t size() const { return reads_.size(); }

  /// Forgets all; any state is lower.
  void clear();

  /// Takes those of 16 states that are lower than before; `sign` is negative where x
  /// is 1.
  void update(std::span<const num::FloatLine> sign, const num::FloatLine& energy);

  /// Which of the reads are wanted.
  enum class Which : std::uint8_t {
    Lowest,
    Ties,  ///< the lowest, and what floats cannot tell from it
    All,
  };

  /// Calls offer(x) for these of the first `reads`, if they have seen any state.
  void each(int reads,
            Which which,
            const std::function<void(std::span<const std::uint8_t>)>& offer);

 private:
  std::vector<std::uint16_t> reads_;  // of a variable: bit l is its x in read l
  num::FloatLine lowest_{};
  std::vector<std::uint8_t> x_;
};

/// As many reads as settings say, sixteen at a time: run(rng, round) makes them, into
/// `best`, and returns whether it was stopped.
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
  if (found.pool().best().empty()) {  // stopped too early for any
    found.offer(std::vector<std::uint8_t>(best.size()));
  }
  return found.take_result(stopped);
}

/// How long a run of round `round` is whose first is `length` long: twice as long each
/// time, for a search that goes on until it is stopped.
[[nodiscard]] inline int grown(int length, int round) {
  constexpr std::int64_t kMost = 1 << 24;
  return static_cast<int>(std::max<std::int64_t>(
      length, std::min(kMost, std::int64_t{length} << std::min(round, 24))));
}

/// field_i = own_i + sum over k of J_ik x_k in each lane.  False if stopped: then no
/// field is of use.
[[nodiscard]] bool replica_fields(const Couplings& j,
                                  std::span<const float> own,
                                  std::span<const num::FloatLine> x,
                                  std::span<num::FloatLine> field,
                                  Pace& pace);

/// E(x) = 1/2 sum of x_i (own_i + field_i) in each lane.
[[nodiscard]] num::FloatLine replica_energies(std::span<const float> own,
                                              std::span<const num::FloatLine> x,
                                              std::span<const num::FloatLine> field);

/// Flips, variable by variable, whatever lowers the energy until nothing does, or until
/// stopped.  `sign` is 1 where x is 0 and -1 where it is 1; `field` and `energy` belong
/// to it and stay so.
void replica_descend(const Couplings& j,
                     std::span<num::FloatLine> sign,
                     std::span<num::FloatLine> field,
                     num::FloatLine& energy,
                     Pace& pace);

}  // namespace oa::solve
