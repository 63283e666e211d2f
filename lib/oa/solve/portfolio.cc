#include "oa/solve/portfolio.h"

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/conflict/search.h"
#include "oa/solve/cut/search.h"
#include "oa/solve/exact/prove.h"
#include "oa/solve/exact/rank_one/rank_one.h"
#include "oa/solve/exact/spin/bound.h"
#include "oa/solve/exact/spin/search.h"
#include "oa/solve/exact/tree/blocks.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/rounds.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/independent_set.h"
#include "oa/solve/lattice/equations.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/lattice/sphere.h"
#include "oa/solve/race.h"
#include "oa/solve/recover/squares.h"
#include "oa/solve/squares.h"

#include <algorithm>
#include <iterator>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kFew = 12;  // variables; smaller problems need no annealing first
constexpr int kMostProved =
    300;  // variables of the largest problem that all proofs are tried on
constexpr std::int64_t kNodes = 1'000'000;  // of a search without a time limit
constexpr double kHurriedShare = 0.3;       // of the time, with a target

// Without a time limit, a method that is likely to take more than these seconds is not
// begun.  With one, it is also begun if it takes at most this share of the time left.
constexpr double kMostCutSeconds = 20.0;  // for a first bound by cuts
constexpr double kCutBoundShare = 0.2;
constexpr double kMostBoundSeconds = 60.0;  // for other bounds
constexpr double kBoundShare = 0.15;

// Shares of the time left that methods may take once they have begun.  A proof that
// takes half of the limit is found within the limit.  Proofs get more than half,
// because bounds do not rise at an even pace.
constexpr double kProofShare = 0.9;
constexpr double kTrialShare = 0.1;    // for a first proof of a small problem
constexpr double kSearchShare = 0.15;  // for heuristics after it
constexpr double kCutShare = 0.75;     // of large problems: annealing finds more there
constexpr double kConflictsShare = 0.5;        // of sparse conflicts
constexpr double kQuickConflictsShare = 0.02;  // with further couplings
constexpr double kBlocksShare = 0.8;
constexpr double kSpinShare = 0.3;      // for spin_bound()
constexpr double kRootShare = 0.4;      // for search_root()
constexpr double kRoundingShare = 0.3;  // of least squares; much less if time is long
constexpr double kSphereShare = 0.1;
constexpr std::int64_t kSphereNodes = 5'000'000;  // without a time limit: 1 s
constexpr double kEffortSeconds =
    60.0;  // the effort grows in proportion beyond this time

// Problems with structure: the steps of heuristics before a proof and their share of
// the time left, and the shares of a proof and of a bound.  Proofs of these are quick
// or hopeless.
constexpr int kFirstSteps = 64;
constexpr int kStepsEach = 4;  // for each variable
constexpr double kStartShare = 0.1;
constexpr double kQuickShare = 0.25;
constexpr double kQuickBoundShare = 0.1;

// Searches under recovered squares: their shares of the time before proofs and after.
constexpr double kSquaresFirst = 0.1;
constexpr double kSquaresShare = 0.9;
constexpr double kEquationsShare = 0.8;

// Tabu search without a time limit.
constexpr int kTabuReads = 8;
constexpr double kTabuWork = 2e9;  // numbers touched: about 0.5 s

/// With a target energy, proofs end early: reaching the target is enough.
bool hurried(const PartTask& task) {
  return std::isfinite(task.target.value);
}

/// True if a method that takes this long is worth trying.
bool pays(double seconds, double most_seconds, double share, const Stop& stop) {
  return seconds <= most_seconds ||
         (stop.limited() && seconds <= share * stop.left_s());
}

/// True if the bound of a problem that is too large for proofs is worth its time.
bool wants_bound(const PartTask& task, const Stop& stop) {
  return task.f.size() > kMostProved && !hurried(task) &&
         pays(spin_bound_seconds(task.f), kMostBoundSeconds, kBoundShare, stop);
}

/// True if cuts may prove a problem that is too large for other proofs.
bool wants_cuts(const PartTask& task, const Stop& stop) {
  return task.f.size() > kMostProved && !hurried(task) && task.settings.top == 1 &&
         suits_cuts(task.f) &&
         pays(cut_seconds(task.f), kMostCutSeconds, kCutBoundShare, stop);
}

/// Work for some seconds, or for more in proportion to a long time limit.
Effort effort_for(PartTask& task, const Stop& stop) {
  const double times =
      stop.limited() ? std::max(1.0, stop.left_s() / kEffortSeconds) : 1.0;
  if (!stop.limited()) {
    task.settings.max_nodes = std::min(task.settings.max_nodes, kNodes);
  }
  const auto scaled = [&](std::int64_t work) {
    return static_cast<std::int64_t>(times * static_cast<double>(work));
  };
  return {scaled(few_nodes(task.f.size())), {scaled(kSomeCutWork), stop.limited()}};
}

/// Tries to prove an optimum: of a small problem by all methods, else by cuts.
Result try_proof(const PartTask& task, const Rounds& rounds, const Stop& stop) {
  PartTask part = begun_at(rounds.best(), task);
  Effort effort = effort_for(part, stop);
  effort.squares = false;  // they were tried
  if (task.f.size() > kMostProved) {
    if (stop.limited()) {
      effort.cuts.work = std::numeric_limits<std::int64_t>::max();
    }
    return search_cuts(part, step_of(task.f), effort.cuts, stop.share(kCutShare));
  }
  if (stop.limited()) {
    effort.nodes = task.settings.max_nodes;
  }
  return prove_without_tree(
      part, effort, stop.share(hurried(task) ? kHurriedShare : kProofShare));
}

/// Computes the bound of the semidefinite relaxation.  For dense problems it adds
/// triangle inequalities if there is time.
Result try_bound(const PartTask& task, const Rounds& rounds, const Stop& stop) {
  const int n = task.f.size();
  const PartTask part = begun_at(rounds.best(), task);
  const double first = spin_bound(task.f, stop.share(kSpinShare));
  Result bound;
  if (task.bounded) {
    task.bounded(first);
  }
  const Stop end = stop.share(kRootShare);
  if (n <= kMostBounded && !suits_cuts(task.f) && task.settings.top == 1 &&
      root_seconds(n) <= end.left_s()) {
    bound = search_root(part, end);
  } else {
    bound.best = {part.known};
  }
  if (bound.status != qubo::Status::ProvedOptimal) {
    bound.bound = std::max(first, bound.bound);
  }
  return bound;
}

/// Tries to prove the optimum of a block of a large problem.
Result prove_block(const PartTask& task, const Stop& stop) {
  if (task.f.size() > kMostProved && !suits_cuts(task.f)) {
    Result none;
    none.best = {task.known};
    return none;
  }
  PartTask part = begun_at(task.known, task);
  const Effort effort = effort_for(part, stop);
  return prove(part, effort, stop);
}

/// Adds the result of a method to the rounds.
void offer(Rounds& rounds, const Result& found, std::string_view method) {
  for (const Solution& s : found.best) {
    rounds.offer(s.x, method);
  }
}

/// The conflicts of a problem; nothing if other methods come first.
std::optional<Conflicts> conflicts_of(const PartTask& task, const Stop& stop) {
  const int n = task.f.size();
  if (task.settings.top > 1 || n < kFewestConflicting) {
    return std::nullopt;
  }
  auto found = find_conflicts(task.f, stop);
  const bool bounded = n > kMostProved && n <= kMostConflicting;
  return found && (suits_independent_set(*found) || bounded) ? std::move(found)
                                                             : std::nullopt;
}

/// Searches independent sets.  Further couplings: only finds a bound quickly.
Result try_conflicts(const PartTask& task,
                     const Conflicts& conflicts,
                     Rounds& rounds,
                     const Rng& rng,
                     const Stop& stop) {
  Result found;
  if (suits_independent_set(conflicts)) {
    if (auto proved = solve_tree(task, stop)) {
      return *std::move(proved);
    }
    const Stop end = suits_cuts(task.f) ? stop.share(kConflictsShare) : stop;
    found = solve_independent_set(task, conflicts, rng, end);
  } else {
    PartTask part = begun_at(task.known, task);
    part.settings.max_nodes = few_conflict_nodes(task);
    found = search_conflicts(part, conflicts, stop.share(kQuickConflictsShare), true);
  }
  offer(rounds, found, found.method);
  return found;
}

/// Rounds least squares over numbers, and tries to prove that by a sphere decoder.
/// Nothing if it is not proved.
std::optional<Result> try_squares(const PartTask& task,
                                  const LeastSquares& squares,
                                  Rounds& rounds,
                                  const Stop& stop) {
  const int width = stop.limited() ? kLongWidth : kStartWidth;
  rounds.offer(rounded(task.f, squares, width, stop.share(kRoundingShare)).x,
               "rounding");
  if (rounds.done()) {
    return std::nullopt;
  }
  PartTask part = begun_at(rounds.best(), task);
  if (!stop.limited()) {
    part.settings.max_nodes = std::min(part.settings.max_nodes, kSphereNodes);
  }
  Result found = search_sphere(part, squares, stop.share(kSphereShare));
  offer(rounds, found, "exact");
  if (found.status != qubo::Status::ProvedOptimal) {
    return std::nullopt;
  }
  found.method = rounds.method();
  return found;
}

/// Does some steps with the moves of the structure; 0: a number that takes a second.
void search_structure(const PartTask& task,
                      const Structure& structure,
                      int steps,
                      Rounds& rounds,
                      const Rng& rng,
                      const Stop& stop) {
  PartTask part = begun_at(rounds.best(), task);
  part.settings.reads = 0;
  part.settings.sweeps = steps;
  offer(rounds, solve_structured(part, structure, rng, stop), "pt");
}

/// The sweeps of tabu search for a fixed amount of work; 0: the problem is too large.
int tabu_sweeps(double n) {
  return static_cast<int>(std::min(1.0 + n / 50.0, kTabuWork / (kTabuReads * n * n)));
}

/// Does a fixed amount of work by tabu search.
void search_tabu(const PartTask& task,
                 Rounds& rounds,
                 const Rng& rng,
                 const Stop& stop) {
  PartTask part = begun_at(rounds.best(), task);
  part.settings.reads = kTabuReads;
  part.settings.sweeps = tabu_sweeps(task.f.size());
  if (part.settings.sweeps > 0) {
    offer(rounds, solve_tabu(part, rng, stop), "tabu");
  }
}

/// Searches a zero of squares of equations.  Nothing if none is found.
std::optional<Result> search_equations(const PartTask& task,
                                       Rounds& rounds,
                                       const Stop& stop) {
  const auto equations = find_equations(task.f, stop);
  if (!equations || rounds.done()) {
    return std::nullopt;
  }
  Result found = solve_equations(
      begun_at(rounds.best(), task), *equations, stop.share(kEquationsShare));
  if (found.status == qubo::Status::ProvedOptimal) {
    return found;
  }
  offer(rounds, found, "lattice");
  if (task.bounded) {
    task.bounded(found.bound);
  }
  return std::nullopt;
}

/// Searches under squares as constraints.  Nothing if that is no proof.
std::optional<Result> search_squares(const PartTask& task,
                                     const Squares& squares,
                                     Rounds& rounds,
                                     const Rng& rng,
                                     const Stop& stop) {
  if (squares.squares.empty() || rounds.done()) {
    return std::nullopt;
  }
  PartTask part = begun_at(rounds.best(), task);
  part.recovered = task.recovered;
  Result found = solve_squares(part, squares, rng, stop);
  if (found.status == qubo::Status::ProvedOptimal) {
    return found;
  }
  offer(rounds, found, "squares");
  if (task.bounded) {
    task.bounded(found.bound);
  }
  return std::nullopt;
}

Result search(const PartTask& task, bool split, const Rng& rng, const Stop& stop) {
  Rounds rounds(task, {.merging = true}, rng, stop);
  const int n = task.f.size();
  double bound = -std::numeric_limits<double>::infinity();
  qubo::Recovered none;
  qubo::Recovered& recovered = task.recovered != nullptr ? *task.recovered : none;
  const auto conflicts = conflicts_of(task, stop);
  if (conflicts) {
    recovered.conflicts += conflicts->pairs();
    Result found = try_conflicts(task, *conflicts, rounds, rng.fork(5), stop);
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    const bool searched = suits_independent_set(*conflicts) && !suits_cuts(task.f);
    if (proved || searched || rounds.done()) {
      return found;
    }
    bound = found.bound;
  }
  const Structure structure = n > kFew ? find_structure(task.f, stop) : Structure{};
  recovered.numbers += std::ssize(structure.numbers);
  const bool bounded = wants_bound(task, stop);
  const bool proved = n <= kMostProved || wants_cuts(task, stop);
  if (n > kFew) {
    if (auto found = search_equations(task, rounds, stop)) {
      return *std::move(found);
    }
  }
  const Squares constraints = n > kFew ? find_squares(task.f, stop) : Squares{};
  recovered.constraints += std::ssize(constraints.squares);
  if (auto found = search_squares(
          task, constraints, rounds, rng.fork(7), stop.share(kSquaresFirst))) {
    return *std::move(found);
  }
  if ((n > kFew && proved) || bounded) {
    rounds.anneal_shortly();
  }
  if (n > kFew && task.settings.top == 1 && !rounds.done()) {
    if (auto found = solve_tree(task, stop)) {
      return *std::move(found);
    }
    if (auto found = solve_rank_one(task, stop)) {
      return *std::move(found);
    }
  }
  const auto squares = find_least_squares(task.f, structure);
  if (squares && !rounds.done()) {
    if (auto found = try_squares(task, *squares, rounds, stop)) {
      return *std::move(found);
    }
  }
  if (split && n > kMostProved && task.settings.top == 1 && !hurried(task) &&
      !rounds.done()) {
    const auto rest = [&](const PartTask& part, const Stop& end) {
      return search(part, false, rng.fork(0), end);
    };
    if (auto found = solve_by_blocks(
            begun_at(rounds.best(), task), prove_block, rest, kBlocksShare, stop)) {
      return *std::move(found);
    }
  }
  const bool structured = !structure.empty();
  const bool races = task.settings.until(stop) && n > kFew;
  if (structured && proved && !rounds.done()) {
    search_structure(task,
                     structure,
                     kFirstSteps + kStepsEach * n,
                     rounds,
                     rng.fork(1),
                     stop.share(kStartShare));
  }
  std::optional<Result> proof;
  // Adds the result of a proof or bound.  Returns whether it is a proof.
  const auto take = [&](Result found) {
    bound = std::max(bound, found.bound);
    proof = std::move(found);
    if (proof->status == qubo::Status::ProvedOptimal) {
      const bool better = proof->best.front().value() < rounds.best().value();
      proof->method = better || n <= kFew ? "exact" : rounds.method();
      return true;
    }
    offer(rounds, *proof, "exact");
    if (task.bounded) {
      task.bounded(bound);
    }
    return false;
  };
  const auto limit = [&](double share) {
    return races && structured ? stop.share(share) : stop;
  };
  std::optional<Race> race;
  const auto run_race = [&](const Stop& end) {
    if (!race) {
      race.emplace(task, structure, rounds, rng.fork(2));
    }
    race->run(end);
  };
  // A short proof leaves time for heuristics before a long one.
  if (races && !structured && n <= kMostProved && !hurried(task) && !rounds.done()) {
    if (take(try_proof(task, rounds, stop.share(kTrialShare)))) {
      return *std::move(proof);
    }
    run_race(stop.share(kSearchShare));
  }
  if (proved && !rounds.done() && take(try_proof(task, rounds, limit(kQuickShare)))) {
    return *std::move(proof);
  }
  if (bounded && !rounds.done() &&
      take(try_bound(task, rounds, limit(kQuickBoundShare)))) {
    return *std::move(proof);
  }
  if (races) {
    if (auto found = search_squares(
            task, constraints, rounds, rng.fork(6), stop.share(kSquaresShare))) {
      return *std::move(found);
    }
    if (!rounds.done()) {
      run_race(stop);
    }
  } else {
    const bool any_work = task.settings.reads == 0 && task.settings.sweeps == 0;
    if (structured && any_work && !rounds.done()) {
      search_structure(task, structure, 0, rounds, rng.fork(3), stop);
    }
    if (n > kFew && any_work && !rounds.done()) {
      search_tabu(task, rounds, rng.fork(4), stop);
    }
    rounds.anneal();
  }
  Result result = rounds.result();
  result.bound = bound;
  if (conflicts && !(TwoDoubles(bound) < result.best.front().value())) {
    result.status = qubo::Status::ProvedOptimal;
    result.proof = "conflicts";
  }
  return result;
}

}  // namespace

Result solve_portfolio(const PartTask& task, const Rng& rng, const Stop& stop) {
  return search(task, true, rng, stop);
}

Result solve_proving(const PartTask& task, const Rng& rng, const Stop& stop) {
  Result result =
      solve_exactly(task, rng, stop.limited() ? stop.share(kProofShare) : stop);
  const Solution known = std::min(task.known, result.best.front());
  if (result.status == qubo::Status::ProvedOptimal || stop() ||
      known.value() <= task.target) {
    return result;
  }
  PartTask part = begun_at(known, task);
  if (!stop.limited()) {
    part.settings.reads = kTabuReads;
    part.settings.sweeps = std::max(1, tabu_sweeps(task.f.size()));
  }
  const Result found = solve_tabu(part, rng, stop);
  if (found.best.front().value() < known.value()) {
    result.method = "tabu";
  }
  Pool pool(task.settings.top);
  for (const Result* one : {&std::as_const(result), &found}) {
    for (const Solution& s : one->best) {
      pool.insert(s.value(), s.x);
    }
  }
  result.best = pool.take_best();
  return result;
}

}  // namespace oa::solve
