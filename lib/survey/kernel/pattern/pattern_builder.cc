#include "survey/kernel/pattern/pattern_builder.h"

#include <algorithm>
#include <utility>

namespace oa::attention {

void PatternBuilder::see(std::int64_t begin, std::int64_t end) {
  const auto b = static_cast<int>(std::clamp<std::int64_t>(begin, 0, keys_));
  const auto e = static_cast<int>(std::clamp<std::int64_t>(end, 0, keys_));
  if (b >= e) {
    return;
  }
  // Most callers add runs in ascending order, so usually nothing is left to sort.
  if (!row_.empty() && row_.back().begin <= b && b <= row_.back().end) {
    row_.back().end = std::max(row_.back().end, e);
  } else {
    row_.push_back({b, e});
  }
}

void PatternBuilder::sort() {
  const auto earlier = [](const Run& a, const Run& b) { return a.begin < b.begin; };
  if (!std::ranges::is_sorted(row_, earlier)) {
    std::ranges::sort(row_, earlier);
  }
}

void PatternBuilder::end_query(int last) {
  sort();
  const auto first = std::ssize(runs_);
  for (const Run& run : row_) {
    const int end = std::min(run.end, last + 1);
    if (run.begin >= end) {
      break;
    }
    if (std::ssize(runs_) > first && runs_.back().end >= run.begin) {
      runs_.back().end = std::max(runs_.back().end, end);
    } else {
      runs_.push_back({run.begin, end});
    }
  }
  first_.push_back(std::ssize(runs_));
  row_.clear();
}

Pattern PatternBuilder::take() {
  return Pattern::of_runs(keys_, std::exchange(first_, {0}), std::exchange(runs_, {}));
}

}  // namespace oa::attention
