#include "oa/solve/heuristic/rounds.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/base/stopwatch.h"
#include "oa/solve/heuristic/anneal.h"
#include "oa/solve/heuristic/dense_anneal.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/merge.h"
#include "oa/solve/heuristic/structured.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kShort = Rounds::kFirstSweeps;
constexpr double kMinSweeps = 8.0;  // minimum of sweeps worth a run
constexpr int kReads = 64;

constexpr std::size_t kElite = 32;  // results of rounds kept for merging
// A merged problem is annealed if it has at most this share of the variables.
constexpr double kShrinks = 0.95;
// Merging cannot be stopped; with so many couplings it takes 0.1 s.
constexpr std::int64_t kMaxMerged = 1'000'000;

// Seconds of narrow moves per second of annealing and merging, in suitable problems.
constexpr double kPolishing = 4.0;
// The shares of the remaining time for annealing with merging, and for narrow moves.
constexpr double kPart = 0.9;
constexpr double kPolishingPart = 0.8;
// If less time remains than for this many rounds, one last round uses all of it.
// One long annealing finds more than two of half the length,
// or than a shorter one with merging.  Measured on G55, G58 and G60.
constexpr double kLastRounds = 16.0;
constexpr double kMaxSweeps = 1e9;  // if the time limit ends it

// The number of proposals of all reads in the last round without a time limit: seconds.
constexpr double kProposals = 1e9;

// Thermal cycles of dense problems: number of good states;
// lowest and highest start temperature and end temperature, relative to the spread;
// maximum number of generations without progress.
// Measured on Palubeckis' problems of 3000 to 7000 variables.
constexpr std::size_t kPool = 16;
constexpr double kReheatLeast = 0.035;
constexpr double kReheatMost = 0.075;
constexpr double kReheatEnd = 0.002;
constexpr int kPatience = 8;

}  // namespace

/// Annealers of one problem, one for each thread.
class Rounds::Annealers {
 public:
  Annealers(const qubo::Quadratic& f, const PartTask& task, const Stop& stop)
      : f_(f),
        task_(task),
        stop_(stop),
        workers_(static_cast<std::size_t>(task.threads)) {}

  /// Does `reads` reads, or sets of replicas.  Returns the states that `which` selects,
  /// and passes each thread's states to `heard` immediately.
  std::vector<Solution> run(int reads,
                            const AnnealRun& run,
                            BestStates::Which which,
                            const Rng& rng,
                            const std::function<void(const Solution&)>& heard) {
    const bool single = run.tempering || f_.couplings().dense();
    const int side_by_side = single ? 1 : kReplicas;
    std::vector<AnnealRun> runs(at((reads + side_by_side - 1) / side_by_side), run);
    for (std::int64_t k = 0; k < std::ssize(runs); ++k) {
      runs[at(k)].first = k * side_by_side;
    }
    return this->run(runs, reads, which, rng, heard);
  }

  /// Does the given runs.
  std::vector<Solution> run(std::span<const AnnealRun> runs,
                            int reads,
                            BestStates::Which which,
                            const Rng& rng,
                            const std::function<void(const Solution&)>& heard) {
    const auto blocks = std::ssize(runs);
    std::vector<std::vector<Solution>> found(runs.size());
    std::mutex telling;
    std::atomic<bool> reached = false;  // a block reached the target
    parallel_for(blocks, task_.threads, [&](std::int64_t block, int number) {
      auto& worker = workers_[static_cast<std::size_t>(number)];
      if (stop_() || reached) {
        return;
      }
      std::vector<Solution>& mine = found[static_cast<std::size_t>(block)];
      const auto offer = [&](std::span<const std::uint8_t> x) {
        mine.push_back({exact_energy(f_, x).two(), {x.begin(), x.end()}});
        if (mine.back().value() <= task_.target) {
          reached = true;
        }
      };
      // Divides the remaining time among the blocks that this thread may still get.
      AnnealRun run = runs[static_cast<std::size_t>(block)];
      run.part /= std::ceil(static_cast<double>(blocks - block) / task_.threads);
      const Rng draws = rng.fork(static_cast<std::uint64_t>(block));
      if (!run.tempering && f_.couplings().dense()) {
        DenseAnneal& dense = worker.dense ? *worker.dense : worker.dense.emplace(f_);
        dense.run(run, draws, stop_);
        offer(dense.lowest());
      } else {
        SideBySide& side = worker.sparse ? *worker.sparse : worker.sparse.emplace(f_);
        const bool stopped = side.annealer.run(run, draws, stop_, side.best);
        const int left = reads - static_cast<int>(block) * kReplicas;
        side.best.each(run.tempering ? kReplicas : std::min(left, kReplicas),
                       stopped ? BestStates::Which::Lowest : which,
                       offer);
      }
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
  struct SideBySide {
    explicit SideBySide(const qubo::Quadratic& f) : annealer(f), best(f.size()) {}

    SparseAnneal annealer;
    BestStates best;
  };

  /// The annealers of one thread, constructed at first use.
  struct Worker {
    std::optional<SideBySide> sparse = {};
    std::optional<DenseAnneal> dense = {};
  };

  const qubo::Quadratic& f_;
  const PartTask& task_;
  const Stop& stop_;
  std::vector<Worker> workers_;
};

Rounds::Rounds(const PartTask& task,
               const Options& options,
               const Rng& rng,
               const Stop& stop)
    : task_(task),
      options_(options),
      rng_(rng),
      stop_(stop),
      pool_(task.settings.top),
      annealers_(std::make_unique<Annealers>(task.f, task, stop)) {
  insert(task.known, "greedy");
}

Rounds::~Rounds() = default;

void Rounds::round(int reads, int sweeps) {
  if (done()) {
    return;
  }
  const Rng rng = rng_.fork(rounds_++);
  const Settings& s = task_.settings;
  const AnnealRun run{.cooling = {sweeps, s.schedule, s.hot, s.cold},
                      .tempering = options_.tempering,
                      .target = task_.target.value,
                      .starts = task_.starts,
                      .part = narrow_.empty() ? kPart : kPart / (1.0 + kPolishing)};
  const Stopwatch finding;
  const auto which = merges() || s.top > 1 || task_.sampled ? BestStates::Which::All
                                                            : BestStates::Which::Ties;
  auto found =
      annealers_->run(reads, run, which, rng, [&](const Solution& x) { report(x); });
  for (const Solution& x : found) {
    if (task_.sampled) {
      task_.sampled(x.x);
    }
    insert(x, options_.tempering ? "pt" : "sa");
  }
  if (merges() && !found.empty() && !done()) {
    elite_.push_back(merged(task_.f, std::move(found), reads, sweeps, rng.fork(1)));
    insert(elite_.back(), "merge");
    std::sort(elite_.begin(), elite_.end());
    elite_.resize(std::min(elite_.size(), kElite));
    Solution all = merged(task_.f, elite_, reads, sweeps, rng.fork(2));
    insert(all, "merge");
    if (!narrow_.empty() && !done()) {
      polish(all, kPolishing * finding.seconds(), rng.fork(3));
      insert(all, "narrow");
      elite_.push_back(std::move(all));
    }
  }
}

bool Rounds::merges() const {
  return options_.merging && task_.f.pairs() <= kMaxMerged;
}

/// Improves s by narrow moves on every thread, for some seconds.
void Rounds::polish(Solution& s, double seconds, const Rng& rng) {
  const Stop end = stop_.share(std::min(kPolishingPart, seconds / stop_.left_s()));
  std::vector<Solution> found(narrow_.size());
  parallel_for(std::ssize(narrow_), task_.threads, [&](std::int64_t k, int) {
    NarrowMoves& moves = *narrow_[at(k)];
    moves.begin(s.x);
    moves.run(rng.fork(static_cast<std::uint64_t>(k)), end);
    found[at(k)] = {exact_energy(task_.f, moves.x()).two(), moves.x()};
  });
  s = std::min(s, *std::min_element(found.begin(), found.end()));
}

/// Improves the best of `found`: fixes variables on which all solutions agree,
/// anneals the rest, and repeats until all agree.
Solution Rounds::merged(const qubo::Quadratic& f,
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
  AnnealRun run;
  run.cooling.sweeps = sweeps;
  run.target = task_.target.value;
  auto next =
      Annealers(smaller.problem(), task_, stop_)
          .run(reads, run, BestStates::Which::All, rng.fork(0), [](const Solution&) {});
  next.push_back({found.front().value(),
                  std::vector<std::uint8_t>(smaller.problem().linear.size())});
  const Solution y =
      merged(smaller.problem(), std::move(next), reads, sweeps, rng.fork(1));
  std::vector<std::uint8_t> x = smaller.whole(y.x);
  const TwoDoubles value = exact_energy(f, x).two();
  return std::min(Solution(value, std::move(x)), found.front());
}

void Rounds::anneal_shortly() {
  round(kReplicas, kShort);
}

void Rounds::anneal() {
  const Settings& s = task_.settings;
  if (s.until(stop_) && options_.merging && task_.f.couplings().dense()) {
    cycle_until_stopped();
  } else if (s.until(stop_)) {
    anneal_until_stopped();
  } else if (s.sweeps > 0 || s.reads > 0 || s.schedule == Schedule::Vendor) {
    round(s.reads > 0          ? s.reads
          : options_.tempering ? 1
                               : kReplicas,
          s.sweeps > 0 ? s.sweeps : 16 * kShort);
  } else {
    anneal_enough();
  }
}

/// Thermal cycling (Moebius et al., "Optimization by thermal cycling", 1997):
/// heats good states a little, cools them, and keeps the best of old and new states.
/// After some generations without progress, restarts with longer cycles.  Merging would
/// find nothing between states of dense problems, which agree in most variables.
void Rounds::cycle_until_stopped() {
  const Scale scale = scale_of(task_.f);
  const double spread = scale.spread / scale.energy;
  while (!done()) {
    Cycles& c = cycles_;
    const bool better = cycle(c.pool, c.sweeps, spread);
    if (done()) {
      return;
    }
    c.idle = better ? 0 : c.idle + 1;
    c.sweeps = std::min(2 * c.sweeps, c.most_sweeps);
    if (c.idle == kPatience) {
      c = {.most_sweeps = grown(c.most_sweeps, 1)};
    }
  }
}

/// Does one generation; the first generation consists of new reads.
/// Returns true if the best state of the pool improved.
bool Rounds::cycle(std::vector<Solution>& pool, int sweeps, double spread) {
  Rng draws = rng_.fork(rounds_++);
  const int reads = kReplicas * task_.threads;
  AnnealRun fresh{.cooling = {.sweeps = sweeps}, .target = task_.target.value};
  fresh.starts = task_.starts;
  std::vector<AnnealRun> runs(at(reads), fresh);
  const auto count = static_cast<std::uint32_t>(pool.size());
  for (std::int64_t k = 0; k < reads; ++k) {
    AnnealRun& run = runs[at(k)];
    run.first = k;
    if (count > 0) {
      run.starts = {&pool[std::min(draws.below(count), draws.below(count))].x, 1};
      const double hot = kReheatLeast + (kReheatMost - kReheatLeast) * draws.uniform();
      run.cooling = {sweeps, Schedule::Linear, spread * hot, spread * kReheatEnd};
    }
  }
  auto found = annealers_->run(
      runs, reads, BestStates::Which::All, draws.fork(0), [&](const Solution& s) {
        report(s);
      });
  const bool better =
      pool.empty() || std::ranges::any_of(found, [&](const Solution& s) {
        return s.value() < pool.front().value();
      });
  std::ranges::move(found, std::back_inserter(pool));
  std::sort(pool.begin(), pool.end());
  const auto repeated = std::ranges::unique(pool, {}, &Solution::x);
  pool.erase(repeated.begin(), repeated.end());
  pool.resize(std::min(pool.size(), kPool));
  for (const Solution& s : pool) {
    insert(s, "sa");
  }
  return better;
}

/// Runs rounds of doubling length on all threads.
/// The last round cools as fast as the time limit requires.
void Rounds::anneal_until_stopped() {
  if (narrow_.empty() && merges() && !done() &&
      suits_narrow_moves(task_.f, best().x, stop_)) {
    for (int k = 0; k < task_.threads; ++k) {
      narrow_.push_back(std::make_unique<NarrowMoves>(task_.f));
    }
  }
  bool last = false;
  while (!done()) {
    const double sweeps = last ? kMaxSweeps : sweeps_;
    const Stopwatch this_round;
    round((options_.tempering ? 1 : kReplicas) * task_.threads,
          static_cast<int>(sweeps));
    const double took = std::max(this_round.seconds(), 1e-6);
    const double rounds_left = stop_.left_s() / took;
    if (rounds_left * sweeps < kMinSweeps) {
      return;
    }
    last = narrow_.empty() && rounds_left < kLastRounds;
    sweeps_ = std::min(2.0 * sweeps_, kMaxSweeps);
  }
}

/// Runs rounds whose length depends only on the problem's size.
void Rounds::anneal_enough() {
  const double each =
      16.0 * (task_.f.size() + 0.1 * static_cast<double>(task_.f.pairs()));
  const double most = std::max(kShort + 0.0, kProposals / kReads * kReplicas / each);
  for (double sweeps = kShort; sweeps <= most && !done(); sweeps *= 2.0) {
    round(options_.tempering ? kReads / kReplicas : kReads, static_cast<int>(sweeps));
    if (sweeps >= 16384.0) {
      return;
    }
  }
}

void Rounds::offer(std::span<const std::uint8_t> x, std::string_view method) {
  insert({exact_energy(task_.f, x).two(), {x.begin(), x.end()}}, method);
}

void Rounds::insert(const Solution& s, std::string_view method) {
  if (pool_.best().empty() || s < best()) {
    method_ = method;
  }
  pool_.insert(s.value(), s.x);
  report(s);
}

void Rounds::report(const Solution& s) {
  if (task_.improved && s.value() < reported_) {
    reported_ = s.value();
    task_.improved(s.x);
  }
}

Result Rounds::result() {
  Result result;
  result.method = method_;
  const bool endless = task_.settings.until(stop_) && !reached();
  result.status = stop_() || endless ? qubo::Status::Stopped : qubo::Status::BestFound;
  result.best = pool_.take_best();
  return result;
}

Result solve_annealing(const PartTask& task, const Rng& rng, const Stop& stop) {
  if (const Structure structure = structure_of(task, stop);
      suits_structured_reads(structure, task.f.size())) {
    return anneal_structured(task, structure, rng, stop);
  }
  Rounds rounds(task, {}, rng, stop);
  rounds.anneal();
  return rounds.result();
}

Result solve_tempering(const PartTask& task, const Rng& rng, const Stop& stop) {
  if (const Structure structure = structure_of(task, stop); !structure.empty()) {
    return solve_structured(task, structure, rng, stop);
  }
  Rounds rounds(task, {.tempering = true}, rng, stop);
  rounds.anneal();
  return rounds.result();
}

}  // namespace oa::solve
