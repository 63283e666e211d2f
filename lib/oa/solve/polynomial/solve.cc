#include "oa/solve/polynomial/solve.h"

#include "oa/solve/polynomial/enumerate.h"
#include "oa/solve/polynomial/search.h"

#include <algorithm>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kFewVariables = 12;          // enumerated without a search first
constexpr double kMostSeconds = 120.0;     // of an enumeration without a time limit
constexpr double kEnumerationShare = 0.8;  // of the time left

bool may_enumerate(const PolynomialTask& task, const Stop& stop) {
  if (task.p.n > kMostEnumerated) {
    return false;
  }
  const double seconds = enumeration_seconds(task.p) / task.threads;
  return seconds <= (stop.limited() ? kEnumerationShare * stop.left_s() : kMostSeconds);
}

/// The best of all x, if there was time to see all.
Result all_of(const PolynomialTask& task, const Stop& stop) {
  const Enumerated all = enumerate(task.p, task.settings.top, task.threads, stop);
  Result result;
  for (const Enumerated::One& one : all.best) {
    result.best.emplace_back(in_doubles(one.value, task.p.unit),
                             x_of(one.index, task.p.n));
  }
  if (all.complete) {
    result.status = qubo::Status::ProvedOptimal;
    result.bound = result.best.front().energy;
    result.method = result.proof = "exact";
  } else {
    result.status = qubo::Status::Stopped;
  }
  return result;
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

}  // namespace

Result prove_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  const bool few = task.p.n <= kFewVariables;
  Result found = few ? Result{} : first_search(task, rng, stop);
  const bool enough = !few && found.best.front().value() <= task.target;
  if (task.p.n <= kMostEnumerated && !enough) {
    Result all = all_of(task, stop);
    const bool proved = all.status == qubo::Status::ProvedOptimal;
    if (proved && !few && found.best.front().value() == all.best.front().value()) {
      all.method = found.method;
    }
    const bool better =
        !all.best.empty() && (few || all.best.front() < found.best.front());
    if (proved || better) {
      return all;
    }
    found = few ? first_search(task, rng, stop) : std::move(found);
    found.status = qubo::Status::Stopped;
  }
  return found;
}

Result solve_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  if (may_enumerate(task, stop)) {
    Result proof = prove_polynomial(task, rng, stop);
    if (proof.status == qubo::Status::ProvedOptimal || stop() ||
        proof.best.front().value() <= task.target) {
      return proof;
    }
  }
  return search_polynomial(task, rng.fork(1), stop);
}

}  // namespace oa::solve
