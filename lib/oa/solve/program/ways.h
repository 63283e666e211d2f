#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/rng.h"
#include "oa/qubo/program.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/exchange.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

struct WaySettings {
  int threads = 1;
  /// Returns the value of an x that a search found; infinite if it is useless.  Called
  /// by several threads.
  std::function<TwoDoubles(std::span<const std::uint8_t>)> value;
  /// Returns true if the best value is low enough.
  std::function<bool()> enough;
};

/// Searches a program in rounds, each twice as long as the one before: by prices of
/// violations (Exchange), by ejection chains of several lengths, and by reduced moves
/// of numbers.  After two rounds the best two ways go on, then the best one.  Reduced
/// moves always go on.
class Ways {
 public:
  /// The arguments must outlive this.
  Ways(const Exchange& exchange,
       const Chains& chains,
       std::span<const qubo::ProgramRow> rows,
       const WaySettings& settings)
      : exchange_(exchange),
        chains_(chains),
        rows_(rows),
        settings_(settings) {
    if (chains.has_reduced()) {
      ways_.push_back({Moves::Reduced, 0, 0.4});
    }
  }

  /// Starts at x with this value.  Runs until `stop`, or for five rounds if its time is
  /// unlimited.
  void run(std::span<const std::uint8_t> x,
           const TwoDoubles& value,
           const Rng& rng,
           const Stop& stop);

 private:
  struct Found {
    std::vector<std::uint8_t> x;
    TwoDoubles value = std::numeric_limits<double>::infinity();
  };
  enum class Moves : std::uint8_t { Priced, Chains, Reduced };
  /// How a read searches; chains have a length, prices no heat.
  struct Way {
    Moves moves;
    int length;
    double heat;
    Found best = {};
  };

  void keep_best(int round);
  void search(int round, int sweeps, const Rng& rng, const Stop& stop);
  [[nodiscard]] Found read(const Way& way,
                           int sweeps,
                           const Rng& rng,
                           const Stop& stop) const;

  const Exchange& exchange_;
  const Chains& chains_;
  std::span<const qubo::ProgramRow> rows_;
  const WaySettings& settings_;
  std::vector<Way> ways_{{Moves::Priced, 0, 0.0},
                         {Moves::Chains, 4, 0.5},
                         {Moves::Chains, 8, 0.7},
                         {Moves::Chains, 24, 1.0},
                         {Moves::Chains, 48, 1.0}};
};

}  // namespace oa::solve
