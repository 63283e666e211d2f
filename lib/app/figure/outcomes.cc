// Reads results of a machine's runs for figures, from reports of oa-cim-ingest.
#include "app/figure/sources.h"
#include "oa/base/error.h"
#include "oa/io/table/task_outcomes.h"
#include "oa/score/score.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

namespace oa::app {
namespace {

std::vector<std::vector<io::TaskRow>> read_all(const std::vector<std::string>& paths,
                                               Context& context) {
  std::vector<std::vector<io::TaskRow>> all;
  for (const std::string& path : paths) {
    io::Input input = io::Input::open(path, context.token());
    if (!io::has_task_rows(input)) {
      throw InputError(input.name() +
                       ": not a report of oa-cim-ingest --tasks --json, as the first "
                       "file is");
    }
    all.push_back(io::read_task_rows(input));
  }
  return all;
}

}  // namespace

bool are_task_reports(const std::vector<std::string>& paths, Context& context) {
  // Leaves a pipe alone: it can be read only once.
  std::error_code error;
  if (paths.empty() || !std::filesystem::is_regular_file(paths.front(), error)) {
    return false;
  }
  io::Input input = io::Input::open(paths.front(), context.token());
  return io::has_task_rows(input);
}

plot::HitRate hit_rate(std::int64_t hits, std::int64_t runs) {
  const score::Share share{hits, runs};
  return {hits, runs, share.low(), share.high()};
}

plot::Gaps gaps_of_tasks(const std::vector<std::string>& paths, Context& context) {
  plot::Gaps gaps;
  std::vector<std::string> names = run_names(paths);
  for (const std::vector<io::TaskRow>& tasks : read_all(paths, context)) {
    plot::Gaps::Run& run = gaps.runs.emplace_back();
    run.name = std::move(names[gaps.runs.size() - 1]);
    std::int64_t hits = 0;
    std::int64_t runs = 0;
    std::int64_t unproved = 0;
    for (const io::TaskRow& task : tasks) {
      if (!task.optimum) {
        ++unproved;
        continue;
      }
      hits += task.hits;
      runs += task.runs;
      if (task.best == *task.optimum) {
        ++run.optimal;
      } else {
        run.above.push_back((task.best - *task.optimum) /
                            std::max(std::abs(*task.optimum), 1.0));
      }
    }
    std::ranges::sort(run.above);
    run.rate = hit_rate(hits, runs);
    gaps.unproved = std::max(gaps.unproved, unproved);
    if (run.problems() == 0) {
      throw InputError(paths[gaps.runs.size() - 1] + ": no task has a proven optimum");
    }
  }
  return gaps;
}

plot::Targets targets_of_tasks(const std::vector<std::string>& paths,
                               Context& context) {
  plot::Targets targets;
  targets.of_tasks = true;
  std::vector<std::string> names = run_names(paths);
  for (const std::vector<io::TaskRow>& tasks : read_all(paths, context)) {
    plot::Targets::Solver& solver = targets.solvers.emplace_back();
    solver.name = std::move(names[targets.solvers.size() - 1]);
    std::int64_t hits = 0;
    std::int64_t runs = 0;
    for (const io::TaskRow& task : tasks) {
      ++solver.runs;
      hits += task.hits;
      runs += task.runs;
      if (task.seconds_to_99) {
        solver.seconds.push_back(*task.seconds_to_99);
      }
    }
    std::ranges::sort(solver.seconds);
    solver.rate = hit_rate(hits, runs);
  }
  return targets;
}

}  // namespace oa::app
