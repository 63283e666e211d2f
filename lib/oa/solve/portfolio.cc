#include "oa/solve/portfolio.h"

#include "oa/base/parallel.h"
#include "oa/solve/exact.h"
#include "oa/solve/sparse_anneal.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>

namespace oa::solve {
namespace {

constexpr int kMostProved = 300;  // variables of problems that proofs are tried on
constexpr std::int64_t kNodes = 1'000'000;  // of a search without a time limit
constexpr int kShort = 64;                  // sweeps of the first annealing
constexpr int kReads = 64;

// How many proposals, those of all reads together, a last round without a time limit
// makes: some seconds.
constexpr double kProposals = 1e9;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Annealers, one for each thread, and what they have found.
class Annealing {
 public:
  Annealing(const PartTask& task, const Rng& rng, const Stop& stop)
      : task_(task),
        rng_(rng),
        stop_(stop),
        pool_(task.settings.top),
        workers_(static_cast<std::size_t>(task.threads)) {
    std::vector<std::uint8_t> x = task.start;
    x.resize(task.f.linear.size());
    offer(x);
  }

  /// So many blocks of sixteen reads.
  void round(int blocks, int sweeps) {
    std::vector<std::vector<Solution>> found(static_cast<std::size_t>(blocks));
    const Rng rng = rng_.fork(rounds_++);
    parallel_for(blocks, task_.threads, [&](std::int64_t block, int worker) {
      if (done()) {
        return;
      }
      run(rng.fork(static_cast<std::uint64_t>(block)),
          sweeps,
          worker,
          found[static_cast<std::size_t>(block)]);
    });
    for (const auto& block : found) {
      for (const Solution& s : block) {
        take(s);
      }
    }
  }

  void offer(std::span<const std::uint8_t> x) {
    take({qubo::energy(task_.f, x), {x.begin(), x.end()}});
  }

  [[nodiscard]] bool reached() const {
    return pool_.best().front().energy <= task_.target;
  }
  [[nodiscard]] bool done() const { return stop_() || reached(); }
  [[nodiscard]] const Solution& best() const { return pool_.best().front(); }

  Result result() {
    Result result;
    result.method = "sa";
    result.status = stop_() ? qubo::Status::Stopped : qubo::Status::BestFound;
    result.best = pool_.take();
    return result;
  }

 private:
  struct Worker {
    SparseAnneal annealer;
    BestStates best;
  };

  void run(const Rng& rng, int sweeps, int number, std::vector<Solution>& found) {
    auto& worker = workers_[static_cast<std::size_t>(number)];
    if (!worker) {
      worker.reset(new Worker{SparseAnneal(task_.f), BestStates(task_.f.size())});
    }
    const Settings& s = task_.settings;
    SparseAnneal::Run run{sweeps, s.schedule, s.hot, s.cold, task_.target, {}};
    run.start = task_.start;
    worker->annealer.run(run, rng, stop_, worker->best);
    worker->best.each(kReplicas, s.top > 1, [&](std::span<const std::uint8_t> x) {
      found.push_back({qubo::energy(task_.f, x), {x.begin(), x.end()}});
    });
    if (task_.improved) {
      const std::lock_guard lock(telling_);
      for (const Solution& one : found) {
        tell(one);
      }
    }
  }

  void take(const Solution& s) {
    pool_.insert(s.energy, s.x);
    tell(s);
  }

  void tell(const Solution& s) {
    if (task_.improved && s.energy < told_) {
      told_ = s.energy;
      task_.improved(s.x);
    }
  }

  const PartTask& task_;
  Rng rng_;
  const Stop& stop_;
  Pool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::uint64_t rounds_ = 0;
  std::mutex telling_;  // guards told_ and the task's improved() while workers run
  double told_ = std::numeric_limits<double>::infinity();
};

/// Rounds on all threads, each twice as long as the one before, the last as long as
/// there is time.
void anneal_until(Annealing& annealing, const PartTask& task, const Stop& stop) {
  double sweeps = kShort;
  while (!annealing.done()) {
    const auto begin = Clock::now();
    annealing.round(task.threads, static_cast<int>(sweeps));
    const double took = std::max(seconds_since(begin), 1e-6);
    const double room = 0.95 * stop.left_s() / took;
    sweeps = std::min({2.0 * sweeps, room * sweeps, 1e9});
    if (sweeps < 8.0) {
      return;
    }
  }
}

/// Rounds whose length depends on the size only.
void anneal_enough(Annealing& annealing, const PartTask& task) {
  const double each =
      16.0 * (task.f.size() + 0.1 * static_cast<double>(task.f.pairs()));
  const double most = std::max(kShort + 0.0, kProposals / kReads * kReplicas / each);
  for (double sweeps = kShort; sweeps <= most && !annealing.done(); sweeps *= 2.0) {
    annealing.round(kReads / kReplicas, static_cast<int>(sweeps));
    if (sweeps >= 16384.0) {
      return;
    }
  }
}

void anneal_more(Annealing& annealing, const PartTask& task, const Stop& stop) {
  const Settings& s = task.settings;
  if (s.sweeps > 0 || s.reads > 0 || s.schedule == Schedule::Vendor) {
    const int reads = s.reads > 0 ? s.reads : kReplicas;
    annealing.round((reads + kReplicas - 1) / kReplicas,
                    s.sweeps > 0 ? s.sweeps : 16 * kShort);
  } else if (stop.limited()) {
    anneal_until(annealing, task, stop);
  } else {
    anneal_enough(annealing, task);
  }
}

}  // namespace

Result solve_annealing(const PartTask& task,
                       const Rng& rng,
                       const std::stop_token& token) {
  const Stop stop(token, task.settings.time_limit_s);
  Annealing annealing(task, rng, stop);
  anneal_more(annealing, task, stop);
  return annealing.result();
}

Result solve_portfolio(const PartTask& task,
                       const Rng& rng,
                       const std::stop_token& token) {
  const Stop stop(token, task.settings.time_limit_s);
  Annealing annealing(task, rng, stop);
  const int n = task.f.size();
  if (n > 12) {
    annealing.round(1, kShort);
  }
  Result proof;
  if (n <= kMostProved && !annealing.done()) {
    Settings settings = task.settings;
    settings.time_limit_s = 0.5 * stop.left_s();
    settings.max_nodes =
        stop.limited() ? settings.max_nodes : std::min(settings.max_nodes, kNodes);
    std::vector<double> j(task.f.linear.size() * task.f.linear.size());
    for (int i = 0; i < n; ++i) {
      for (const qubo::Coupling& c : task.f.row(i)) {
        j[static_cast<std::size_t>(i) * task.f.linear.size() +
          static_cast<std::size_t>(c.other)] = c.weight;
      }
    }
    const qubo::Matrix matrix(n, j);
    Exact exact(matrix, settings);
    proof = exact.solve(
        task.f.linear, Stop(token, settings.time_limit_s), annealing.best().x);
    proof.bound += task.f.offset;
    const bool better =
        proof.best.front().energy + task.f.offset < annealing.best().energy;
    proof.method = better || n <= 12 ? "exact" : "sa";
    if (proof.status == qubo::Status::ProvedOptimal) {
      if (task.improved) {
        task.improved(proof.best.front().x);
      }
      return proof;
    }
    for (const Solution& s : proof.best) {
      annealing.offer(s.x);
    }
  }
  anneal_more(annealing, task, stop);
  Result result = annealing.result();
  result.bound = proof.bound;
  return result;
}

}  // namespace oa::solve
