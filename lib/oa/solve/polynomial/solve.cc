#include "oa/solve/polynomial/solve.h"

#include "oa/solve/polynomial/enumerate.h"
#include "oa/solve/polynomial/penalty_search.h"
#include "oa/solve/polynomial/search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kSmallVariables = 12;    // fewer are enumerated at once
constexpr double kQuickSeconds = 1.0;  // of an enumeration before branching
constexpr double kMaxSeconds = 120.0;  // of an enumeration, if time is unlimited
constexpr double kMaxOfTime = 0.8;     // of the remaining time, for an enumeration
constexpr double kWorkRate = 2.5e8;    // work of branching per second
constexpr double kTrialSeconds = 0.2;  // of branching before a longer search
constexpr double kTrialOfTime = 0.04;
constexpr double kFirstSeconds = 1.0;  // if the trial is promising
constexpr double kFirstOfTime = 0.2;
constexpr double kLastSeconds = 20.0;  // after the search, if time is unlimited
constexpr double kPromising = 0.25;    // closed share of the gap
constexpr double kSearchOfTime = 0.5;  // if branching continues afterwards

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

/// True if enumeration takes a few seconds at most, and time suffices.
bool may_enumerate(const PolynomialTask& task, double seconds, const Stop& stop) {
  if (task.p.n > kMaxEnumerated) {
    return false;
  }
  const double needed = enumeration_seconds(task.p) / task.threads;
  return needed <= seconds && needed <= kMaxOfTime * stop.left_s();
}

bool proved(const Result& result) {
  return result.status == qubo::Status::ProvedOptimal;
}

bool reaches_target(const PolynomialTask& task, const Result& result) {
  return result.best.front().value() <= task.target;
}

/// Adds the solutions of `found` to `more`, which may be empty.
Result together(Result more, const Result& found, int top) {
  Pool pool(top);
  for (const Result* one :
       {&found, std::as_const(more).best.empty() ? &found : &more}) {
    for (const Solution& s : one->best) {
      pool.insert(s.value(), s.x);
    }
  }
  if (!found.best.empty() &&
      found.best.front().value() == pool.best().front().value()) {
    more.method = found.method;
  }
  more.bound = std::max(more.bound, found.bound);
  more.best = pool.take_best();
  return more;
}

/// Enumerates all x, if there is time.
Result enumerated(const PolynomialTask& task, const Result& found, const Stop& stop) {
  const Enumerated all = enumerate(task.p, task.settings.top, task.threads, stop);
  Result result;
  result.method = "exact";
  for (const Enumerated::One& one : all.best) {
    result.best.emplace_back(in_doubles(one.value, task.p.unit),
                             x_of(one.index, task.p.n));
  }
  result.status = qubo::Status::Stopped;
  if (!all.complete) {
    return together(std::move(result), found, task.settings.top);
  }
  if (!found.best.empty() &&
      found.best.front().value() == result.best.front().value()) {
    result.method = found.method;
  }
  result.status = qubo::Status::ProvedOptimal;
  result.bound = result.best.front().energy;
  result.proof = "exact";
  return result;
}

/// Branch and bound, starting at the solutions found so far.
Branched branched(const PolynomialTask& task,
                  const Result& found,
                  double seconds,
                  const Stop& stop) {
  if (!may_branch(task.p) || stop()) {
    Branched none{found};
    none.result.status = qubo::Status::Stopped;
    return none;
  }
  const double work = kWorkRate * seconds;
  Branched end = search_penalties(
      task, found.best, work < 9e18 ? static_cast<std::int64_t>(work) : kEndless, stop);
  const bool better = end.result.best.front().value() < found.best.front().value();
  end.result.method = better ? "branching" : found.method;
  end.result.bound = std::max(end.result.bound, found.bound);
  return end;
}

/// A short search.
Result first_search(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  constexpr int kReads = 4;
  constexpr int kSweeps = 64;
  PolynomialTask part = task;
  part.settings.reads = kReads;
  part.settings.sweeps = kSweeps;
  return search_polynomial(part, rng, stop);
}

/// Branches for as long as enumeration would take, then enumerates.
Result branch_or_enumerate(const PolynomialTask& task,
                           const Result& found,
                           const Stop& stop) {
  const bool all = task.settings.max_nodes == kEndless &&
                   may_enumerate(task, kMaxSeconds, stop.share(kSearchOfTime));
  const double seconds =
      all ? enumeration_seconds(task.p) : std::numeric_limits<double>::infinity();
  Result result = branched(task, found, seconds, stop).result;
  return proved(result) || stop() || !all ? result : enumerated(task, result, stop);
}

/// Runs a longer search after an unfinished proof.
Result searched_last(const PolynomialTask& task,
                     const Result& found,
                     const Rng& rng,
                     const Stop& stop) {
  constexpr int kReads = 32;
  constexpr int kSweeps = 1024;
  PolynomialTask part = task;
  if (!stop.limited()) {
    part.settings.reads = kReads;
    part.settings.sweeps = kSweeps;
  }
  Result more = together(search_polynomial(part, rng, stop), found, task.settings.top);
  more.status = qubo::Status::Stopped;
  return more;
}

}  // namespace

Result prove_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  if (task.p.n <= kSmallVariables) {
    Result all = enumerated(task, {}, stop);
    return all.best.empty() ? first_search(task, rng, stop) : all;
  }
  const Result found = first_search(task, rng, stop);
  if (reaches_target(task, found)) {
    return found;
  }
  if (may_enumerate(task, kQuickSeconds, stop)) {
    return enumerated(task, found, stop);
  }
  const Result proof = branch_or_enumerate(task, found, stop.share(kMaxOfTime));
  return proved(proof) ? proof : searched_last(task, proof, rng.fork(1), stop);
}

Result solve_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  if (may_enumerate(task, kQuickSeconds, stop)) {
    Result proof = prove_polynomial(task, rng, stop);
    if (proved(proof) || stop() || reaches_target(task, proof)) {
      return proof;
    }
  }
  const Result found = first_search(task, rng, stop);
  if (reaches_target(task, found)) {
    return found;
  }
  Branched first = branched(task, found, kTrialSeconds, stop.share(kTrialOfTime));
  const bool open = !proved(first.result) && !reaches_target(task, first.result);
  if (open && first.closed >= kPromising) {
    first = branched(task, first.result, kFirstSeconds, stop.share(kFirstOfTime));
  }
  if (proved(first.result) || reaches_target(task, first.result)) {
    return first.result;
  }
  if (may_enumerate(task, kMaxSeconds, stop)) {
    return enumerated(task, first.result, stop);
  }
  const bool promising = first.closed >= kPromising;
  Result more =
      together(search_polynomial(
                   task, rng.fork(1), promising ? stop.share(kSearchOfTime) : stop),
               first.result,
               task.settings.top);
  if (!promising || stop() || reaches_target(task, more)) {
    return more;
  }
  const qubo::Status status = more.status;
  more = branched(task, more, kLastSeconds, stop).result;
  if (!proved(more) && !stop()) {
    more.status = status;
  }
  return more;
}

}  // namespace oa::solve
