#include "oa/cim/ingest_totals.h"

#include <algorithm>

namespace oa::cim {

void IngestTotals::count_tasks(const machine::Submission& submission,
                               const Matcher& matcher) {
  for (std::size_t t = 0; t < submission.tasks.size(); ++t) {
    const std::vector<TaskResult>& results = matcher.results(t);
    ++tasks;
    received += results.empty() ? 0 : 1;
    if (results.empty()) {
      ++missing;
      missing_tasks.push_back(submission.tasks[t].number);
    }
    by_name +=
        !results.empty() && std::ranges::none_of(results, &TaskResult::proved) ? 1 : 0;
    failed += results.empty() && matcher.failed(t) ? 1 : 0;
    for (const TaskResult& result : results) {
      runs += result.runs();
      copies += result.copies();
      for (const machine::Run& report : result.reports) {
        if (const auto run = report.run_ms()) {
          run_ms.push_back(*run);
        }
        if (const auto queued = report.queue_s()) {
          queue_s.push_back(*queued);
        }
      }
    }
  }
  std::ranges::sort(run_ms);
  std::ranges::sort(queue_s);
  duplicate = runs - received + copies;
  energies_verified = matcher.energies_verified();
}

void IngestTotals::count_image(const Assembled& image) {
  broken_solutions += image.broken_solutions;
  broken_variables += image.broken_variables;
  for (const TaskOutcome& task : image.tasks) {
    distinct += task.distinct;
    best_hits += task.best_hits;
    optimum_runs += task.submitted_proved ? task.runs : 0;
    optimum_hits += task.submitted_proved ? task.hits : 0;
    if (!task.checked()) {
      unchecked += task.runs > 0 ? 1 : 0;
      continue;
    }
    ++checked;
    best_is_optimal += task.submitted_gap == 0.0 ? 1 : 0;
    optimal_in_original += task.gap == 0.0 ? 1 : 0;
    gap += task.submitted_gap;
    gap_max = std::max(gap_max, task.submitted_gap);
  }
}

}  // namespace oa::cim
