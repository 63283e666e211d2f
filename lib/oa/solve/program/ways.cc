#include "oa/solve/program/ways.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/program/whole_program.h"

#include <algorithm>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kReads = 4;  // in each round
constexpr int kFirstSweeps = 100;
constexpr int kRounds = 5;   // if time is unlimited; each doubles in length
constexpr int kAllWays = 2;  // rounds of all ways; then one of the best two

}  // namespace

void Ways::run(std::span<const std::uint8_t> x,
               const TwoDoubles& value,
               const Rng& rng,
               const Stop& stop) {
  for (Way& way : ways_) {
    way.best = {{x.begin(), x.end()}, value};
  }
  int sweeps = kFirstSweeps;
  for (int round = 0; !stop() && !settings_.enough(); ++round, sweeps *= 2) {
    if (!stop.limited() && round == kRounds) {
      break;
    }
    keep_best(round);
    const double before = stop.left_s();
    search(round, sweeps, rng, stop);
    // The last round ends at the time limit.
    const double left = stop.left_s();
    const double next = 2.0 * (before - left);
    if (stop.limited() && left < 3.0 * next) {
      sweeps = std::max(kFirstSweeps, static_cast<int>(0.9 * sweeps * left / next));
    }
  }
}

/// Drops the worse ways after a round.  Reduced moves need long rounds to be the best.
void Ways::keep_best(int round) {
  if (round < kAllWays) {
    return;
  }
  std::ranges::stable_sort(
      ways_, [](const Way& a, const Way& b) { return a.best.value < b.best.value; });
  const std::size_t last = round == kAllWays && ways_.size() > 1 ? 1 : 0;
  std::erase_if(ways_, [worst = ways_[last].best.value](const Way& way) {
    return way.moves != Moves::Reduced && worst < way.best.value;
  });
}

/// Does one round of reads, each starting at the best of its way.
void Ways::search(int round, int sweeps, const Rng& rng, const Stop& stop) {
  const int reads = std::max(static_cast<int>(ways_.size()),
                             stop.limited() ? settings_.threads : kReads);
  std::vector<Found> found(at(reads));
  parallel_for(reads, settings_.threads, [&](std::int64_t k, int) {
    const Rng own = rng.fork(at(round)).fork(at(k));
    found[at(k)] = read(ways_[at(k) % ways_.size()], sweeps, own, stop);
  });
  for (std::size_t k = 0; k < found.size(); ++k) {
    Found& best = ways_[k % ways_.size()].best;
    if (found[k].value < best.value) {
      best = std::move(found[k]);
    }
  }
}

Ways::Found Ways::read(const Way& way,
                       int sweeps,
                       const Rng& rng,
                       const Stop& stop) const {
  Found best;
  const auto improved = [&](std::span<const std::uint8_t> x) {
    if (const TwoDoubles value = settings_.value(x); value < best.value) {
      best = {{x.begin(), x.end()}, value};
    }
    return settings_.enough();
  };
  const ChainSettings chains{way.length, way.heat, sweeps, improved};
  if (way.moves == Moves::Priced || !feasible(rows_, way.best.x)) {
    const ExchangeSettings settings{.reads = 1, .sweeps = sweeps, .improved = improved};
    (void)improved(exchange_.run(way.best.x, settings, rng, stop).x);
  } else if (way.moves == Moves::Chains) {
    (void)improved(chains_.run(way.best.x, chains, rng, stop));
  } else {
    (void)improved(chains_.run_reduced(way.best.x, chains, rng, stop));
  }
  return best;
}

}  // namespace oa::solve
