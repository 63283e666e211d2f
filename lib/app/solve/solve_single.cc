#include "app/solve/solve_single.h"

#include "app/solve/decode.h"
#include "app/solve/one.h"
#include "oa/base/number.h"
#include "oa/qubo/fixed.h"
#include "oa/solve/single/enumerate.h"
#include "oa/solve/single/general.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace oa::app {

namespace {

/// True if no variable that was added to those of `p` is fixed.
bool frees_added(const qubo::Polynomial& p, std::span<const std::uint8_t> fixed) {
  const auto given = static_cast<std::size_t>(p.n);
  return std::ranges::all_of(fixed.subspan(std::min(given, fixed.size())),
                             [](std::uint8_t value) { return value == qubo::kFree; });
}

/// Long lists of solutions and values of variables that were added are about penalties.
bool keeps_constraints(const SingleTask& problem, int top) {
  if (problem.polynomial == nullptr || problem.polynomial->constraints.empty() ||
      top > kMostKept) {
    return false;
  }
  return frees_added(*problem.polynomial, problem.fixed);
}

OneSettings settings_for(const SolveTask& task,
                         const SingleOptions& o,
                         SingleTask& problem) {
  const Chosen chosen = choose_solver(task.solving);
  OneSettings settings;
  settings.general = {.solver = chosen.settings,
                      .method = &chosen.method,
                      .threads = task.common.threads,
                      .presolve = !o.no_presolve,
                      .count_optima = o.count_optima && problem.polynomial == nullptr,
                      .target = o.target,
                      .initial = std::move(problem.initial),
                      .improved = std::move(problem.improved),
                      .bounded = std::move(problem.bounded),
                      .sampled = std::move(problem.sampled)};
  if (!settings.general.initial.empty()) {
    settings.general.initial.resize(problem.f.linear.size());  // and 0 for those added
  }
  if (o.all_optima) {
    settings.all_optima = true;
    settings.general.method = &solve::exact_method();
  }
  if (keeps_constraints(problem, settings.general.solver.top)) {
    settings.constrained = problem.polynomial;
  }
  settings.fixed = std::move(problem.fixed);
  return settings;
}

/// The result for a small polynomial, if the method proves.
std::optional<OneResult> by_enumeration(const qubo::Polynomial* p,
                                        const OneSettings& settings,
                                        const std::stop_token& stop) {
  if (p == nullptr || !settings.general.method->proves) {
    return std::nullopt;
  }
  // Values of variables that were added are about the quadratic function.
  const std::span all(settings.fixed);
  const auto given = all.first(std::min(all.size(), static_cast<std::size_t>(p->n)));
  if (!solve::enumerable(*p, given) || !frees_added(*p, all)) {
    return std::nullopt;
  }
  const solve::Wanted wanted{
      settings.all_optima ? kMostListed : settings.general.solver.top,
      settings.all_optima};
  auto found = solve::solve_by_enumeration(*p, given, wanted, settings.general, stop);
  if (!found) {
    return std::nullopt;
  }
  OneResult result{*std::move(found), false, false};
  result.complete =
      std::cmp_greater_equal(result.found.best.size(), result.found.optima.value_or(0));
  return result;
}

io::ResultLine line_of(const SolveTask& task, const solve::GeneralResult& found) {
  const bool proved = found.status == qubo::Status::ProvedOptimal;
  const auto or_method = [&](std::string_view name) {
    return std::string(name.empty() ? found.method : name);
  };
  io::ResultLine line;
  line.energy = found.best.front().energy;
  line.bound = found.bound;
  line.status = found.status;
  line.solver = task.solving.solver;
  line.method = found.method;
  line.found_by = or_method(found.found_by);
  line.proved_by = proved ? or_method(found.proved_by) : "";
  line.seed = task.common.seed;
  line.x = found.best.front().x;
  return line;
}

void list_optima(const OneResult& result, SingleResult& single) {
  io::ResultLine& line = single.line;
  for (const solve::Solution& s : result.found.best) {
    line.optima.push_back(s.x);
  }
  line.optima_complete = result.complete;
  if (!result.complete) {
    const std::string count = format_grouped(std::ssize(line.optima));
    single.warnings.push_back(
        "there may be more optima than the " + count + " listed (" +
        (line.status == qubo::Status::ProvedOptimal ? "at most " + count + " are listed"
                                                    : "the search was cut short") +
        ")");
  }
}

/// Warns of constraints that do not hold.
void say_feasible(SingleResult& single) {
  const io::ResultLine& line = single.line;
  if (!line.feasible.value_or(true)) {
    single.warnings.push_back(line.infeasible
                                  ? "no solution satisfies all constraints (proved)"
                                  : "the best that was found violates the constraint " +
                                        line.violated);
  }
}

}  // namespace

SingleResult solve_single(const SolveTask& task,
                          const SingleOptions& o,
                          SingleTask problem,
                          const std::stop_token& stop) {
  const OneSettings settings = settings_for(task, o, problem);
  const Rng rng = Rng(task.common.seed).fork(problem.number);
  const auto small = by_enumeration(problem.polynomial, settings, stop);
  const OneResult result = small ? *small : solve_one(problem.f, settings, rng, stop);
  const solve::GeneralResult& found = result.found;
  SingleResult single{line_of(task, found), result.penalised};
  io::ResultLine& line = single.line;
  if (!settings.fixed.empty()) {
    line.fixed = static_cast<int>(std::ssize(settings.fixed) -
                                  std::ranges::count(settings.fixed, qubo::kFree));
  }
  if (o.all_optima) {
    list_optima(result, single);
  } else if (settings.general.solver.top > 1) {
    for (const solve::Solution& s : found.best) {
      line.top.emplace_back(s.energy, s.x);
    }
  }
  const qubo::Polynomial* p = problem.polynomial;
  if (p != nullptr) {
    decode(*p, line);
    say_feasible(single);
  }
  if (o.target) {
    line.target_reached = line.feasible.value_or(true) &&
                          !qubo::better(problem.f.sense, *o.target, line.energy);
  }
  if (o.count_optima) {
    line.optima_count = found.optima;
    if (!line.optima_count) {
      single.warnings.push_back("optima not counted: " +
                                (p != nullptr && found.uncounted.empty()
                                     ? "this is possible for quadratic problems, or "
                                       "with at most 20 variables"
                                     : found.uncounted));
    }
  }
  return single;
}

}  // namespace oa::app
