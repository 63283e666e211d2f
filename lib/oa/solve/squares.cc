#include "oa/solve/squares.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/whole_program.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace oa::solve {
namespace {

constexpr int kReads = 4;  // of a round
constexpr int kFirstSweeps = 100;
constexpr int kRounds = 5;  // without a time limit; each is twice as long as the last
constexpr int kAllWays = 3;  // rounds of all ways; one round of the best two follows

/// How a read searches: by chains of this length from this temperature, or, if the
/// length is 0, by prices of violations (program/exchange.h).
struct Way {
  int length;
  double heat;
  TwoDoubles lowest = std::numeric_limits<double>::infinity();
};

/// Searches with a fixed set of squares.
class SquareSearch {
 public:
  SquareSearch(const PartTask& task, const Squares& squares, const Rng& rng)
      : task_(task),
        program_(squares),
        exchange_(program_.objective(), program_.rows()),
        chains_(program_.objective(), program_.rows()),
        rng_(rng),
        best_(task.known) {}

  Solution run(const Stop& stop) {
    int sweeps = kFirstSweeps;
    for (int round = 0; !stop() && !enough_; ++round, sweeps *= 2) {
      if (!stop.limited() && round == kRounds) {
        break;
      }
      keep_best(round);
      const double before = stop.left_s();
      search(round, sweeps, stop);
      // The last round ends at the limit.
      const double left = stop.left_s();
      const double next = 2.0 * (before - left);
      if (stop.limited() && left < 3.0 * next) {
        sweeps = std::max(kFirstSweeps, static_cast<int>(0.45 * sweeps * left / next));
      }
    }
    return best_;
  }

 private:
  /// Drops ways that found less than others.
  void keep_best(int round) {
    if (round >= kAllWays) {
      std::ranges::stable_sort(ways_, {}, &Way::lowest);
      ways_.resize(round == kAllWays ? 2 : 1, ways_.front());
    }
  }

  void search(int round, int sweeps, const Stop& stop) {
    const std::vector<std::uint8_t> start = program_.shortened(best_.x);
    const bool holds = feasible(program_.rows(), start);
    const int reads = std::max(static_cast<int>(ways_.size()),
                               stop.limited() ? task_.threads : kReads);
    std::vector<Solution> found(at(reads));
    parallel_for(reads, task_.threads, [&](std::int64_t k, int) {
      const Way& way = ways_[at(k) % ways_.size()];
      const Rng own = rng_.fork(at(round)).fork(at(k));
      read(holds ? way : Way{0, 0.0}, sweeps, start, found[at(k)], own, stop);
    });
    for (int k = 0; k < reads; ++k) {
      best_ = std::min(best_, found[at(k)]);
      TwoDoubles& lowest = ways_[at(k) % ways_.size()].lowest;
      lowest = found[at(k)].x.empty() ? lowest : std::min(lowest, found[at(k)].value());
    }
  }

  void read(const Way& way,
            int sweeps,
            const std::vector<std::uint8_t>& start,
            Solution& found,
            const Rng& rng,
            const Stop& stop) {
    const auto improved = [&](std::span<const std::uint8_t> x) {
      offer(found, x);
      return enough_.load();
    };
    if (way.length == 0) {
      ExchangeSettings settings;
      settings.reads = 1;
      settings.sweeps = sweeps;
      settings.improved = improved;
      offer(found, exchange_.run(start, settings, rng, stop).x);
    } else {
      offer(found,
            chains_.run(start, {way.length, way.heat, sweeps, improved}, rng, stop));
    }
  }

  void offer(Solution& own, std::span<const std::uint8_t> of_program) {
    std::vector<std::uint8_t> x = program_.restored(of_program);
    const TwoDoubles energy = exact_energy(task_.f, x).two();
    if (!own.x.empty() && own.value() <= energy) {
      return;
    }
    own = Solution(energy, std::move(x));
    const std::lock_guard lock(telling_);
    if (energy < told_) {
      told_ = energy;
      enough_ = energy <= task_.target;
      if (task_.improved && energy < task_.known.value()) {
        task_.improved(own.x);
      }
    }
  }

  const PartTask& task_;
  SquareProgram program_;
  Exchange exchange_;
  Chains chains_;
  std::vector<Way> ways_{{0, 0.0}, {1, 0.5}, {4, 0.5}, {16, 1.0}, {32, 2.0}};
  Rng rng_;
  Solution best_;
  std::mutex telling_;
  TwoDoubles told_ = std::numeric_limits<double>::infinity();
  std::atomic<bool> enough_ = false;
};

/// A bound of the rest: every term at its minimum.
double least(const qubo::Quadratic& f) {
  ExactSum sum;
  sum.add(f.offset);
  const auto add = [&](double weight) { sum.add(std::min(weight, 0.0)); };
  std::ranges::for_each(f.linear, add);
  for (const qubo::Term& t : f.terms()) {
    add(t.weight);
  }
  for (const qubo::Term& t : f.rests()) {
    t.first == qubo::kConstant ? sum.add(t.weight) : add(t.weight);
  }
  return sum.rounded_down();
}

}  // namespace

Result solve_squares(const PartTask& task,
                     const Squares& squares,
                     const Rng& rng,
                     const Stop& stop) {
  Result result;
  result.best = {SquareSearch(task, squares, rng).run(stop)};
  const Solution& best = result.best.front();
  result.bound = std::min(least(squares.rest), best.energy);
  const bool proved = best.value() <= TwoDoubles(result.bound);
  result.status = proved && task.settings.top == 1 ? qubo::Status::ProvedOptimal
                                                   : qubo::Status::Stopped;
  result.method = "squares";
  result.proof = "squares";
  return result;
}

}  // namespace oa::solve
