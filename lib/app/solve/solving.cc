#include "app/solve/solving.h"

#include "app/solve/decode.h"
#include "oa/base/number.h"
#include "oa/qubo/fixed.h"
#include "oa/solve/single/solve_model.h"

#include <algorithm>
#include <utility>

namespace oa::app {

namespace {

void apply_options(const SolveTask& task,
                   const SingleOptions& o,
                   solve::ModelSettings& settings) {
  const Chosen chosen = choose_solver(task.solving);
  settings.solver = chosen.settings;
  settings.solver.recover = !o.no_recover;
  settings.method = o.all_optima ? &solve::exact_method() : &chosen.method;
  settings.threads = task.common.threads;
  settings.presolve = !o.no_presolve;
  settings.count_optima = o.count_optima;
  settings.all_optima = o.all_optima;
  settings.target = o.target;
}

io::ResultLine line_of(const SolveTask& task, const solve::ModelResult& found) {
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
  line.recovered = found.recovered;
  return line;
}

void list_optima(const solve::ModelResult& result, SingleResult& single) {
  io::ResultLine& line = single.line;
  for (const solve::Solution& s : result.best) {
    line.optima.push_back(s.x);
  }
  std::ranges::sort(line.optima);
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

/// Warns about violated constraints.
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
  solve::ModelSettings& settings = problem.settings;
  apply_options(task, o, settings);
  const qubo::Model& model = problem.model;
  const Rng rng = Rng(task.common.seed).fork(problem.number);
  const solve::ModelResult found = solve::solve_model(model, settings, rng, stop);
  SingleResult single{line_of(task, found), found.penalised};
  io::ResultLine& line = single.line;
  if (!settings.fixed.empty()) {
    line.fixed = static_cast<int>(std::ssize(settings.fixed) -
                                  std::ranges::count(settings.fixed, qubo::kFree));
  }
  if (o.all_optima) {
    list_optima(found, single);
  } else if (settings.solver.top > 1) {
    for (const solve::Solution& s : found.best) {
      line.top.emplace_back(s.energy, s.x);
    }
  }
  judge(model, line);
  if (!line.feasible.value_or(true)) {
    line.top.clear();
    line.optima.clear();
  }
  say_feasible(single);
  if (o.target) {
    line.target_reached = line.feasible.value_or(true) &&
                          !qubo::better(model.f.sense, *o.target, line.energy);
  }
  if (o.count_optima) {
    line.optima_count = found.optima;
    if (!line.optima_count) {
      single.warnings.push_back("optima not counted: " +
                                (found.uncounted.empty()
                                     ? "this is possible without constraints, or "
                                       "with at most 20 variables"
                                     : found.uncounted));
    }
  }
  return single;
}

}  // namespace oa::app
