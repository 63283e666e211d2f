#include "oa/solve/portfolio/race.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/heuristic/tabu.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::solve {
namespace {

// Cycles: the share of the remaining time for the first cycle,
// the growth of later cycles, and the number of cycles in which no heuristic drops out.
constexpr double kFirstCycle = 0.06;
constexpr double kFirstPlainCycle = 0.15;  // without structure
constexpr double kGrowth = 2.0;
constexpr int kTrials = 2;

// Time weights of favourites in the first cycles; other heuristics have weight 1.
// On dense random problems, tabu search often leads briefly, while annealing finds more
// in 4 times the time.  Replica exchange with structure starts slowly.
constexpr double kAnnealingWeight = 8.0;
constexpr double kExchangeWeight = 3.0;

// Sparse problems without structure get one long annealing if time suffices for fewer
// sweeps only: it finds more than a race.
constexpr double kSmallSweeps = 20'000.0;
constexpr double kProposalSeconds = 1e-9;

// The leader's share of later cycles if other heuristics are close.
constexpr double kLeaderShare = 0.8;

}  // namespace

/// A heuristic that can be continued.
class Race::Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  [[nodiscard]] virtual std::string_view method() const = 0;
  /// Continues until stopped.  Returns its best solution.
  virtual const Solution& run(const Stop& stop) = 0;

  TwoDoubles lowest = std::numeric_limits<double>::infinity();
  TwoDoubles first = std::numeric_limits<double>::infinity();  // after its first run
  int led = 0;                                                 // cycles that it led
  bool dropped = false;
};

class Race::Annealing final : public Way {
 public:
  Annealing(const PartTask& task, const Rng& rng)
      : task_(begun_at(task.known, task)),
        rounds_(task_, {.merging = true}, rng, now_) {}

  [[nodiscard]] std::string_view method() const override { return rounds_.method(); }
  const Solution& run(const Stop& stop) override {
    now_ = stop;
    rounds_.anneal();
    return rounds_.best();
  }

 private:
  PartTask task_;
  Stop now_;
  Rounds rounds_;
};

/// Annealing with structured moves.
class Race::Cooling final : public Way {
 public:
  Cooling(const PartTask& task, const Structure& structure, const Rng& rng)
      : task_(begun_at(task.known, task)),
        structure_(structure),
        rng_(rng),
        best_(task.known) {}

  [[nodiscard]] std::string_view method() const override { return "sa"; }
  const Solution& run(const Stop& stop) override {
    const Rng draws = rng_.fork(runs_++);
    best_ =
        std::min(best_, anneal_structured(task_, structure_, draws, stop).best.front());
    return best_;
  }

 private:
  PartTask task_;
  const Structure& structure_;
  Rng rng_;
  std::uint64_t runs_ = 0;
  Solution best_;
};

class Race::Tabu final : public Way {
 public:
  Tabu(const PartTask& task, const Structure& structure, const Rng& rng)
      : task_(begun_at(task.known, task)) {
    if (task.improved) {
      task_.improved = [this, tell = task.improved](std::span<const std::uint8_t> x) {
        const std::lock_guard lock(telling_);
        tell(x);
      };
    }
    for (int k = 0; k < task.threads; ++k) {
      searches_.push_back(std::make_unique<TabuSearch>(
          task_, structure, rng.fork(static_cast<std::uint64_t>(k))));
    }
    best_ = task.known;
  }

  [[nodiscard]] std::string_view method() const override { return "tabu"; }
  const Solution& run(const Stop& stop) override {
    std::vector<const Solution*> found(searches_.size());
    parallel_for(std::ssize(searches_), task_.threads, [&](std::int64_t k, int) {
      found[at(k)] = &searches_[at(k)]->run(stop);
    });
    for (const Solution* s : found) {
      best_ = std::min(best_, *s);
    }
    return best_;
  }

 private:
  PartTask task_;
  std::mutex telling_;
  std::vector<std::unique_ptr<TabuSearch>> searches_;
  Solution best_;
};

class Race::Exchange final : public Way {
 public:
  Exchange(const PartTask& task, const Structure& structure, const Rng& rng)
      : task_(begun_at(task.known, task)),
        best_(task_) {
    for (int k = 0; k < task.threads; ++k) {
      searches_.push_back(std::make_unique<StructuredSearch>(
          task_, structure, rng.fork(static_cast<std::uint64_t>(k)), best_));
      if (!task.starts.empty()) {
        searches_.back()->begin(state_of(task.starts, k));
      }
    }
  }

  [[nodiscard]] std::string_view method() const override { return "pt"; }
  const Solution& run(const Stop& stop) override {
    parallel_for(std::ssize(searches_), task_.threads, [&](std::int64_t k, int) {
      (void)searches_[at(k)]->run(std::numeric_limits<std::int64_t>::max(), stop);
    });
    return best_.best();
  }

 private:
  PartTask task_;
  Incumbent best_;
  std::vector<std::unique_ptr<StructuredSearch>> searches_;
};

Race::Race(const PartTask& task,
           const Structure& structure,
           Rounds& rounds,
           const Rng& rng)
    : task_(task),
      structure_(structure),
      rounds_(rounds) {
  if (!structure.empty()) {
    ways_.push_back(std::make_unique<Exchange>(task, structure, rng.fork(0)));
  }
  if (suits_structured_reads(structure, task.f.size())) {
    ways_.push_back(std::make_unique<Cooling>(task, structure, rng.fork(1)));
  } else {
    ways_.push_back(std::make_unique<Annealing>(task, rng.fork(1)));
  }
  ways_.push_back(std::make_unique<Tabu>(task, structure, rng.fork(2)));
  leader_ = ways_.front().get();
}

Race::~Race() = default;

/// True if one long annealing beats a race.
bool Race::hurries(const Stop& stop) const {
  const qubo::Quadratic& f = task_.f;
  const double sweep_s =
      kProposalSeconds * kReplicas * (f.size() + 0.1 * static_cast<double>(f.pairs()));
  return structure_.empty() && !f.couplings().dense() &&
         stop.left_s() < kSmallSweeps * sweep_s;
}

void Race::run(const Stop& stop) {
  if (cycles_ == 0 && hurries(stop)) {
    go_on(*ways_.front(), stop);
    return;
  }
  while (!stop() && !rounds_.done()) {
    const double left = stop.left_s();
    double cycle = cycles_ > 0
                       ? cycle_s_
                       : (structure_.empty() ? kFirstPlainCycle : kFirstCycle) * left;
    if (cycle * (1.0 + kGrowth) > left) {
      cycle = left;
    }
    cycle_s_ = kGrowth * cycle;
    for (const auto& way : ways_) {
      const double part = share(*way) * cycle / std::max(1e-9, stop.left_s());
      if (part > 0.0 && !rounds_.done()) {
        go_on(*way, stop.share(std::min(1.0, part)));
      }
    }
    ++cycles_;
    rank();
  }
}

void Race::go_on(Way& way, const Stop& stop) {
  const Solution& best = way.run(stop);
  way.lowest = best.value();
  if (way.first > way.lowest && cycles_ == 0) {
    way.first = way.lowest;
  }
  rounds_.offer(best.x, way.method());
}

/// Finds the leader,
/// and drops heuristics that are worse than the leader's first solution.
void Race::rank() {
  for (const auto& way : ways_) {
    if (way->lowest < leader_->lowest) {
      leader_ = way.get();
    }
  }
  leader_->led += 1;
  if (cycles_ < kTrials) {
    return;
  }
  // Without structure, annealing keeps the lead once it leads.
  const Way* favourite = ways_.front().get();
  const bool sure = structure_.empty() && favourite->led == cycles_;
  for (const auto& way : ways_) {
    way->dropped = way.get() != leader_ &&
                   (sure || (way.get() != favourite && leader_->first < way->lowest));
  }
}

/// Returns the share of a heuristic in the next cycle.
double Race::share(const Way& way) const {
  if (cycles_ < kTrials) {
    const double weight = structure_.empty() ? kAnnealingWeight : kExchangeWeight;
    const double all = weight + static_cast<double>(ways_.size() - 1);
    return (&way == ways_.front().get() ? weight : 1.0) / all;
  }
  const auto near = static_cast<double>(
      std::ranges::count(ways_, false, [](const auto& w) { return w->dropped; }));
  if (&way == leader_) {
    return near > 1.0 ? kLeaderShare : 1.0;
  }
  return way.dropped ? 0.0 : (1.0 - kLeaderShare) / (near - 1.0);
}

}  // namespace oa::solve
