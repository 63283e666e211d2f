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

/// The number of parallel reads, one in each lane of a line.
/// All lanes process the same variable, so each coupling is loaded once.
inline constexpr int kReplicas = num::kFloatLine;

/// Random numbers for each lane: xoshiro128+ (Blackman and Vigna,
/// "Scrambled linear pseudorandom number generators", 2021).
/// Seeded by oa::Rng, which is too slow for all draws.
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

/// The lowest state that each of 16 reads has visited.
class BestStates {
 public:
  explicit BestStates(int n) : reads_(static_cast<std::size_t>(n)) {}

  [[nodiscard]] std::size_t size() const { return reads_.size(); }

  /// Forgets the states.
  void clear();

  /// Stores each of 16 states that is lower than before; `sign` < 0 where x is 1.
  void update(std::span<const num::FloatLine> sign, const num::FloatLine& energy);

  /// The reads to report.
  enum class Which : std::uint8_t {
    Lowest,
    Ties,  ///< the lowest, and equal ones in float precision
    All,
  };

  /// Calls offer(x) for the selected states of the first `reads` reads.
  void each(int reads,
            Which which,
            const std::function<void(std::span<const std::uint8_t>)>& offer);

 private:
  std::vector<std::uint16_t> reads_;  // of each variable: bit l is x in read l
  num::FloatLine lowest_{};
  std::vector<std::uint8_t> x_;
};

/// Does settings.reads reads, 16 at a time:
/// run(rng, round) does a batch, updates `best`, and returns true if stopped.
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

/// The length of round `round` of a search until stopped:
/// `length` doubles in each round.
[[nodiscard]] inline int grown(int length, int round) {
  constexpr std::int64_t kMax = 1 << 24;
  return static_cast<int>(std::max<std::int64_t>(
      length, std::min(kMax, std::int64_t{length} << std::min(round, 24))));
}

/// Computes field_i = own_i + sum over k of J_ik x_k in each lane.
/// Returns false, with invalid fields, if stopped.
[[nodiscard]] bool replica_fields(const Couplings& j,
                                  std::span<const float> own,
                                  std::span<const num::FloatLine> x,
                                  std::span<num::FloatLine> field,
                                  Pace& pace);

/// Returns E(x) = 1/2 sum of x_i (own_i + field_i) in each lane; see replica_fields().
[[nodiscard]] num::FloatLine replica_energies(std::span<const float> own,
                                              std::span<const num::FloatLine> x,
                                              std::span<const num::FloatLine> field);

/// Flips variables, and pairs of coupled ones, that lower the energy, until none does,
/// or until stopped.  A pair can keep a sum that a penalty holds.  `sign` is 1 where x
/// is 0, else -1.  Updates `field` and `energy`, too.
void replica_descend(const Couplings& j,
                     std::span<num::FloatLine> sign,
                     std::span<num::FloatLine> field,
                     num::FloatLine& energy,
                     Pace& pace);

}  // namespace oa::solve
