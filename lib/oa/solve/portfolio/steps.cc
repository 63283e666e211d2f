#include "oa/solve/portfolio/steps.h"

#include "oa/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {

Portfolio::Portfolio(const PartTask& of,
                     bool may_split,
                     const Rng& draws,
                     const Stop& end)
    : task(of),
      stop(end),
      rng(draws),
      split(may_split),
      rounds(of, {.merging = true}, draws, end) {}

bool Portfolio::hurried() const {
  return std::isfinite(task.target.value);
}

bool Portfolio::races() const {
  return task.settings.until(stop) && size() > kSmallProblem;
}

void Portfolio::offer(const Result& found, std::string_view method) {
  for (const Solution& s : found.best) {
    rounds.offer(s.x, method);
  }
}

void Portfolio::raise(double lower) {
  bound = std::max(bound, lower);
  if (task.bounded) {
    task.bounded(bound);
  }
}

std::optional<Result> Portfolio::take(Result found) {
  if (found.status == qubo::Status::ProvedOptimal) {
    const bool better = found.best.front().value() < rounds.best().value();
    found.method = better || size() <= kSmallProblem ? "exact" : rounds.method();
    return found;
  }
  offer(found, "exact");
  raise(found.bound);
  return std::nullopt;
}

void Portfolio::race(const Stop& end) {
  if (!race_) {
    race_.emplace(task, structure, rounds, rng.fork(2));
  }
  race_->run(end);
}

Result run_steps(std::span<const Step> steps, Portfolio& search) {
  for (const Step& step : steps) {
    if (search.rounds.done()) {
      break;
    }
    const Stopwatch since_begin;
    auto found = step.run(search);
    if (search.task.staged) {
      const ProblemSize size{search.size(), search.task.f.pairs(), 0};
      search.task.staged({step.name, since_begin.seconds(), size, size});
    }
    if (found) {
      return *std::move(found);
    }
  }
  Result result = search.rounds.result();
  result.bound = search.bound;
  if (!(TwoDoubles(result.bound) < result.best.front().value())) {
    result.status = qubo::Status::ProvedOptimal;
    result.proof = search.conflicts ? "conflicts" : "exact";
  }
  return result;
}

}  // namespace oa::solve
