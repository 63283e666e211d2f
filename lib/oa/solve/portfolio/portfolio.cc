#include "oa/solve/portfolio/portfolio.h"

#include "oa/solve/exact/prove.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/portfolio/steps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kExactShare = 0.9;  // of the time

constexpr std::array kSteps{Step{"conflicts", search_conflicts_first},
                            Step{"numbers", recover_numbers},
                            Step{"equations", search_equations},
                            Step{"squares", search_squares_first},
                            Step{"short annealing", anneal_shortly},
                            Step{"tree", prove_by_tree},
                            Step{"rank one", prove_by_rank_one},
                            Step{"least squares", search_least_squares},
                            Step{"blocks", prove_by_blocks},
                            Step{"moves", move_numbers},
                            Step{"assignments", prove_as_assignment},
                            Step{"short proof", prove_shortly},
                            Step{"proof", prove_longer},
                            Step{"bound", find_bound},
                            Step{"squares", search_squares_longer},
                            Step{"search", search_on}};

}  // namespace

std::span<const Step> all_steps() {
  return kSteps;
}

Result solve_portfolio(const PartTask& task, const Rng& rng, const Stop& stop) {
  Portfolio search(task, true, rng, stop);
  Result result = run_steps(kSteps, search);
  if (task.recovered != nullptr) {
    task.recovered->add(search.recovered);
  }
  return result;
}

Result solve_proving(const PartTask& task, const Rng& rng, const Stop& stop) {
  Result result =
      solve_exactly(task, rng, stop.limited() ? stop.share(kExactShare) : stop);
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
