#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/heuristic/structured.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

// Cooled chains with the moves of a problem's structure:
// reads of annealing, and the improvement of tabu search's results.

namespace oa::solve {
namespace {

// In units of mean row norms.  Penalties make rows large compared with the objective,
// so cooling goes far; it ends early once nothing moves.
constexpr double kReadCold = 1e-5;
constexpr double kPolishHotLeast = 0.002;
constexpr double kPolishHotMost = 0.03;
constexpr int kStill = 4;  // sweeps without a change that end a run
constexpr double kReadPart = 0.9;

constexpr int kReadsOfRound = 16;
constexpr int kFirstSweeps = 64;
constexpr int kSomeSweeps = 16 * kFirstSweeps;  // if only the number of reads is set
constexpr std::int64_t kMinPolish = 32;         // sweeps
constexpr double kReadsWork = 1e9;  // of the last round, if unlimited: some s

double unit_of(const ChainProblem& problem) {
  return std::max(problem.spread(), 1e-300);
}

/// Independent reads of a problem; keeps the best.
class Reads {
 public:
  Reads(const PartTask& task, const Structure& structure, const Stop& stop)
      : task_(task),
        stop_(stop),
        problem_(task.f, structure),
        pool_(task.settings.top),
        told_(task.known.value()) {
    pool_.insert(told_, task.known.x);
  }

  void round(int reads, int sweeps, const Rng& rng) {
    std::vector<Solution> found(at(reads));
    parallel_for(reads, task_.threads, [&](std::int64_t k, int) {
      if (stop_() || reached_) {
        return;
      }
      const double left = std::ceil(static_cast<double>(reads - k) / task_.threads);
      found[at(k)] =
          read(k, sweeps, kReadPart / left, rng.fork(static_cast<std::uint64_t>(k)));
    });
    for (const Solution& s : found) {
      if (s.x.empty()) {
        continue;
      }
      if (task_.sampled) {
        task_.sampled(s.x);
      }
      pool_.insert(s.value(), s.x);
    }
  }

  [[nodiscard]] bool done() const { return reached_ || stop_(); }
  [[nodiscard]] double work(int reads, int sweeps) const {
    return static_cast<double>(problem_.work()) * reads * sweeps;
  }
  [[nodiscard]] std::vector<Solution> best() { return pool_.take_best(); }

 private:
  Solution read(std::int64_t number, int sweeps, double part, const Rng& rng) {
    Chain chain(problem_, rng);
    if (!task_.starts.empty()) {
      chain.begin(state_of(task_.starts, number));
    }
    const Settings& s = task_.settings;
    cool(chain, problem_, {sweeps, s.schedule, s.hot, s.cold}, part, stop_);
    Solution found(exact_energy(task_.f, chain.x()).two(), chain.x());
    const std::lock_guard lock(telling_);
    if (found.value() < told_) {
      told_ = found.value();
      if (task_.improved) {
        task_.improved(found.x);
      }
    }
    if (found.value() <= task_.target) {
      reached_ = true;
    }
    return found;
  }

  const PartTask& task_;
  const Stop& stop_;
  ChainProblem problem_;
  Pool pool_;
  std::mutex telling_;
  TwoDoubles told_;
  std::atomic<bool> reached_ = false;
};

}  // namespace

void cool(Chain& chain,
          const ChainProblem& problem,
          Cooling cooling,
          double part,
          const Stop& stop) {
  const double unit = unit_of(problem);
  if (cooling.cold <= 0.0) {
    cooling.cold = kReadCold * unit;
    if (cooling.hot > 0.0) {
      cooling.cold = std::min(cooling.cold, cooling.hot);
    }
  }
  const Temperatures temperature(cooling, 1.0 / unit, 1.0);
  const Course course(temperature.sweeps(), stop, part);
  Pace pace(stop);
  int still = 0;
  bool cold = false;
  for (int i = 0; i < temperature.sweeps() && still < kStill && !cold; ++i) {
    if (pace(problem.touched())) {
      break;
    }
    const double done = course(i);
    cold = done >= 1.0;
    const std::int64_t before = chain.accepted();
    chain.sweep(std::max(unit * static_cast<double>(temperature(done)), 1e-300));
    still = chain.accepted() == before ? still + 1 : 0;
  }
  chain.descend(pace);
}

bool suits_structured_reads(const Structure& structure, int n) {
  std::vector<bool> inside(at(n));
  for (const Number& number : structure.numbers) {
    for (const int i : number.variables) {
      inside[at(i)] = true;
    }
  }
  for (const Group& group : structure.groups) {
    for (const int i : group.variables) {
      inside[at(i)] = true;
    }
  }
  return 2 * std::ranges::count(inside, true) > n;
}

Result anneal_structured(const PartTask& task,
                         const Structure& structure,
                         const Rng& rng,
                         const Stop& stop) {
  const Settings& s = task.settings;
  Reads reads(task, structure, stop);
  const bool endless = s.until(stop);
  if (s.sweeps > 0 || s.reads > 0 || (s.schedule == Schedule::Vendor && !endless)) {
    reads.round(s.reads > 0 ? s.reads : kReadsOfRound,
                s.sweeps > 0 ? s.sweeps : kSomeSweeps,
                rng.fork(0));
  } else {
    constexpr int kMaxSweeps = 1 << 24;
    int sweeps = kFirstSweeps;
    for (std::uint64_t k = 0; !reads.done(); ++k) {
      reads.round(kReadsOfRound, sweeps, rng.fork(k));
      sweeps = std::min(2 * sweeps, kMaxSweeps);
      if (!endless && reads.work(kReadsOfRound, sweeps) > kReadsWork) {
        break;
      }
    }
  }
  Result result;
  result.status = stop() || endless ? qubo::Status::Stopped : qubo::Status::BestFound;
  result.best = reads.best();
  return result;
}

StructuredPolish::StructuredPolish(const qubo::Quadratic& f,
                                   const Structure& structure,
                                   const Rng& rng)
    : problem_(f, structure),
      chain_(problem_, rng.fork(0)),
      rng_(rng.fork(1)) {}

void StructuredPolish::operator()(std::vector<std::uint8_t>& x,
                                  std::int64_t work,
                                  const Stop& stop) {
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  const std::int64_t sweeps = std::max(kMinPolish, work / problem_.work());
  const double hot =
      kPolishHotLeast * std::pow(kPolishHotMost / kPolishHotLeast, rng_.uniform());
  chain_.begin(x);
  const double before = chain_.energy();
  cool(chain_,
       problem_,
       {.sweeps = static_cast<int>(std::min(sweeps, kMax)),
        .hot = hot * unit_of(problem_)},
       1.0,
       stop);
  if (chain_.energy() < before) {
    x = chain_.x();
  }
}

}  // namespace oa::solve
