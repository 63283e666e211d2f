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
      if (result.run && result.run->run_ms()) {
        run_ms.push_back(*result.run->run_ms());
      }
      if (const auto queued = result.run ? result.run->queue_s() : std::nullopt) {
        queue_s.push_back(*queued);
      }
    }
  }
  std::ranges::sort(run_ms);
  std::ranges::sort(queue_s);
  energies_verified = matcher.energies_verified();
}

void IngestTotals::count_image(const Assembled& image) {
  checked += image.checked;
  unchecked += image.unchecked;
  best_is_optimal += image.best_is_optimal;
  optimal_in_original += image.optimal_in_original;
  gap += image.gap;
  gap_max = std::max(gap_max, image.gap_max);
}

}  // namespace oa::cim
