#include "oa/solve/portfolio.h"

#include "oa/base/parallel.h"
#include "oa/solve/exact/exact.h"
#include "oa/solve/exact/spin_bound.h"
#include "oa/solve/heuristic/merge.h"
#include "oa/solve/heuristic/sparse_anneal.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>

namespace oa::solve {
namespace {

constexpr int kMostProved = 300;  // variables of problems that proofs are tried on
constexpr std::int64_t kNodes = 1'000'000;  // of a search without a time limit
constexpr double kBoundShare = 0.15;        // of the time, for the bound of others
constexpr double kMostBoundSeconds = 60.0;  // for it where there is no limit
constexpr int kShort = 64;                  // sweeps of the first annealing
constexpr double kFewest = 8.0;             // sweeps that are worth beginning
constexpr int kReads = 64;

constexpr std::size_t kElite = 32;  // results of rounds that are merged
// A merged problem is worth annealing if it is smaller than this part of the other.
constexpr double kShrinks = 0.95;
// Merging is not stopped on the way; of so many couplings it takes a tenth of a second.
constexpr std::int64_t kMostMerged = 1'000'000;

// How many proposals, those of all reads together, a last round without a time limit
// makes: some seconds.
constexpr double kProposals = 1e9;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

using Vector = std::span<const std::uint8_t>;

/// Annealers of one problem, one for each thread.
class Annealers {
 public:
  Annealers(const qubo::Quadratic& f, const PartTask& task, const Stop& stop)
      : f_(f),
        task_(task),
        stop_(stop),
        workers_(static_cast<std::size_t>(task.threads)) {}

  /// So many reads, or, of tempering, sets of replicas.  Returns their best, of each if
  /// `all`; tells each thread's to `heard` as soon as it is found.
  std::vector<Solution> run(int reads,
                            const SparseAnneal::Run& run,
                            bool all,
                            const Rng& rng,
                            const std::function<void(const Solution&)>& heard) {
    const int side_by_side = run.tempering ? 1 : kReplicas;
    const int blocks = (reads + side_by_side - 1) / side_by_side;
    std::vector<std::vector<Solution>> found(static_cast<std::size_t>(blocks));
    std::mutex telling;
    std::atomic<bool> reached = false;  // the target, by some block
    parallel_for(blocks, task_.threads, [&](std::int64_t block, int number) {
      auto& worker = workers_[static_cast<std::size_t>(number)];
      if (stop_() || reached) {
        return;
      }
      if (!worker) {
        worker.reset(new Worker{SparseAnneal(f_), BestStates(f_.size())});
      }
      const bool stopped = worker->annealer.run(
          run, rng.fork(static_cast<std::uint64_t>(block)), stop_, worker->best);
      const auto first = static_cast<int>(block) * side_by_side;
      const int count = run.tempering ? kReplicas : std::min(reads - first, kReplicas);
      std::vector<Solution>& mine = found[static_cast<std::size_t>(block)];
      using Which = BestStates::Which;
      const Which which = stopped ? Which::Lowest : all ? Which::All : Which::Ties;
      worker->best.each(count, which, [&](Vector x) {
        mine.push_back({exact_energy(f_, x).two(), {x.begin(), x.end()}});
        if (mine.back().value() <= task_.target) {
          reached = true;
        }
      });
      const std::lock_guard lock(telling);
      std::ranges::for_each(mine, heard);
    });
    std::vector<Solution> together;
    for (auto& block : found) {
      std::ranges::move(block, std::back_inserter(together));
    }
    return together;
  }

 private:
  struct Worker {
    SparseAnneal annealer;
    BestStates best;
  };

  const qubo::Quadratic& f_;
  const PartTask& task_;
  const Stop& stop_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

/// What is done by rounds of annealing, and what they have found.
class Annealing {
 public:
  /// With `merging`, what the reads of a round found, and what rounds did, is merged.
  Annealing(const PartTask& task, const Rng& rng, const Stop& stop, bool merging)
      : task_(task),
        rng_(rng),
        stop_(stop),
        merging_(merging && task.f.pairs() <= kMostMerged),
        pool_(task.settings.top),
        annealers_(task.f, task, stop) {
    std::vector<std::uint8_t> x = task.known;
    x.resize(task.f.linear.size());
    offer(x, "greedy");
  }

  void round(int reads, int sweeps) {
    if (done()) {
      return;
    }
    const Rng rng = rng_.fork(rounds_++);
    const Settings& s = task_.settings;
    SparseAnneal::Run run{{sweeps, s.schedule, s.hot, s.cold},
                          task_.tempering,
                          task_.target.value,
                          task_.start};
    auto found = annealers_.run(
        reads, run, merging_ || s.top > 1, rng, [&](const Solution& x) { tell(x); });
    for (const Solution& x : found) {
      take(x, task_.tempering ? "pt" : "sa");
    }
    if (merging_ && !found.empty() && !done()) {
      elite_.push_back(merged(task_.f, std::move(found), reads, sweeps, rng.fork(1)));
      take(elite_.back(), "merge");
      std::sort(elite_.begin(), elite_.end());
      elite_.resize(std::min(elite_.size(), kElite));
      take(merged(task_.f, elite_, reads, sweeps, rng.fork(2)), "merge");
    }
  }

  void offer(Vector x, std::string_view method) {
    take({exact_energy(task_.f, x).two(), {x.begin(), x.end()}}, method);
  }

  [[nodiscard]] bool reached() const { return best().value() <= task_.target; }
  [[nodiscard]] bool done() const { return stop_() || reached(); }
  [[nodiscard]] const Solution& best() const { return pool_.best().front(); }
  [[nodiscard]] std::string_view method() const { return method_; }

  Result result() {
    Result result;
    result.method = method_;
    const bool endless = task_.settings.until(stop_) && !reached();
    result.status =
        stop_() || endless ? qubo::Status::Stopped : qubo::Status::BestFound;
    result.best = pool_.take();
    return result;
  }

 private:
  /// The best of `found`, or better: what they agree on is kept, the rest annealed
  /// again, until they agree on everything.
  Solution merged(const qubo::Quadratic& f,
                  std::vector<Solution> found,
                  int reads,
                  int sweeps,
                  const Rng& rng) const {
    std::sort(found.begin(), found.end());
    if (stop_()) {
      return found.front();
    }
    const Merged smaller(f, found);
    const int n = smaller.problem().size();
    if (n < 2 || n > kShrinks * f.size() || stop_() ||
        found.front().value() <= task_.target) {
      return found.front();
    }
    SparseAnneal::Run run;
    run.cooling.sweeps = sweeps;
    run.target = task_.target.value;
    auto next = Annealers(smaller.problem(), task_, stop_)
                    .run(reads, run, true, rng.fork(0), [](const Solution&) {});
    next.push_back({found.front().value(),
                    std::vector<std::uint8_t>(smaller.problem().linear.size())});
    const Solution y =
        merged(smaller.problem(), std::move(next), reads, sweeps, rng.fork(1));
    std::vector<std::uint8_t> x = smaller.whole(y.x);
    const TwoDoubles value = exact_energy(f, x).two();
    return std::min(Solution(value, std::move(x)), found.front());
  }

  void take(const Solution& s, std::string_view method) {
    if (pool_.best().empty() || s < best()) {
      method_ = method;
    }
    pool_.insert(s.value(), s.x);
    tell(s);
  }

  void tell(const Solution& s) {
    if (task_.improved && s.value() < told_) {
      told_ = s.value();
      task_.improved(s.x);
    }
  }

  const PartTask& task_;
  Rng rng_;
  const Stop& stop_;
  bool merging_;
  Pool pool_;
  Annealers annealers_;
  std::vector<Solution> elite_;  // what rounds have come to, best first
  std::uint64_t rounds_ = 0;
  std::string_view method_;
  TwoDoubles told_ = std::numeric_limits<double>::infinity();
};

/// Rounds on all threads, each twice as long as the one before; those for which there
/// is no time cool faster.
void anneal_until(Annealing& annealing, const PartTask& task, const Stop& stop) {
  double sweeps = kShort;
  while (!annealing.done()) {
    const auto begin = Clock::now();
    annealing.round((task.tempering ? 1 : kReplicas) * task.threads,
                    static_cast<int>(sweeps));
    const double took = std::max(seconds_since(begin), 1e-6);
    if (stop.left_s() / took * sweeps < kFewest) {
      return;
    }
    sweeps = std::min(2.0 * sweeps, 1e9);
  }
}

/// Rounds whose length depends on the size only.
void anneal_enough(Annealing& annealing, const PartTask& task) {
  const double each =
      16.0 * (task.f.size() + 0.1 * static_cast<double>(task.f.pairs()));
  const double most = std::max(kShort + 0.0, kProposals / kReads * kReplicas / each);
  for (double sweeps = kShort; sweeps <= most && !annealing.done(); sweeps *= 2.0) {
    annealing.round(task.tempering ? kReads / kReplicas : kReads,
                    static_cast<int>(sweeps));
    if (sweeps >= 16384.0) {
      return;
    }
  }
}

void anneal_more(Annealing& annealing, const PartTask& task, const Stop& stop) {
  const Settings& s = task.settings;
  if (s.until(stop)) {
    anneal_until(annealing, task, stop);
  } else if (s.sweeps > 0 || s.reads > 0 || s.schedule == Schedule::Vendor) {
    annealing.round(s.reads > 0      ? s.reads
                    : task.tempering ? 1
                                     : kReplicas,
                    s.sweeps > 0 ? s.sweeps : 16 * kShort);
  } else {
    anneal_enough(annealing, task);
  }
}

}  // namespace

Result solve_annealing(const PartTask& task, const Rng& rng, const Stop& stop) {
  Annealing annealing(task, rng, stop, false);
  anneal_more(annealing, task, stop);
  return annealing.result();
}

qubo::Matrix dense(const qubo::Quadratic& f) {
  const std::size_t n = f.linear.size();
  std::vector<double> j(n * n);
  for (int i = 0; i < f.size(); ++i) {
    for (const qubo::Coupling& c : f.row(i)) {
      j[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(c.other)] = c.weight;
    }
  }
  return {f.size(), j};
}

Result prove(const PartTask& task, const Settings& settings, const Stop& stop) {
  const qubo::Quadratic& f = task.f;
  std::vector<qubo::Term> rests;  // without the constant
  ExactSum constant;
  constant.add(f.offset);
  for (const qubo::Term& t : f.rests()) {
    if (t.first == qubo::kConstant) {
      constant.add(t.weight);
    } else {
      rests.push_back(t);
    }
  }
  const qubo::Matrix matrix = dense(f);
  Exact exact(matrix, settings, stop);
  Result result = exact.solve(f.linear, stop, task.known, rests);
  if (result.status == qubo::Status::ProvedOptimal) {
    // Better than what the solver says, which is rounded.
    result.bound = exact_energy(f, result.best.front().x).rounded_down();
  } else if (std::isfinite(result.bound)) {
    constant.add(result.bound);
    result.bound = constant.rounded_down();
  }
  for (Solution& s : result.best) {
    s = {exact_energy(f, s.x).two(), std::move(s.x)};
  }
  return result;
}

Result solve_portfolio(const PartTask& task, const Rng& rng, const Stop& stop) {
  Annealing annealing(task, rng, stop, true);
  const int n = task.f.size();
  if (n > 12) {
    annealing.round(kReplicas, kShort);
  }
  Result proof;
  if (n <= kMostProved && !annealing.done()) {
    Settings settings = task.settings;
    settings.max_nodes =
        stop.limited() ? settings.max_nodes : std::min(settings.max_nodes, kNodes);
    PartTask from_best = task;
    from_best.known = annealing.best().x;
    proof = prove(from_best, settings, stop.share(0.5));
    const bool better = proof.best.front().value() < annealing.best().value();
    proof.method = better || n <= 12 ? "exact" : annealing.method();
    if (proof.status == qubo::Status::ProvedOptimal) {
      if (task.improved) {
        task.improved(proof.best.front().x);
      }
      return proof;
    }
    for (const Solution& s : proof.best) {
      annealing.offer(s.x, "exact");
    }
  }
  // Whoever has a target wants to be there soon.
  const bool hurried = std::isfinite(task.target.value);
  if (n > kMostProved && !hurried && !annealing.done() &&
      spin_bound_seconds(task.f) <=
          std::min(kMostBoundSeconds, kBoundShare * stop.left_s())) {
    proof.bound = spin_bound(task.f, stop.share(2.0 * kBoundShare));
  }
  anneal_more(annealing, task, stop);
  Result result = annealing.result();
  result.bound = proof.bound;
  return result;
}

}  // namespace oa::solve
