#include "oa/attention/kernel/pattern/pattern_builder.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <algorithm>
#include <string>
#include <utility>

namespace oa::attention {
namespace {

[[noreturn]] void refuse(std::int64_t query, const std::string& why) {
  throw InputError("query " + format(query) + ": " + why);
}

void check_row_ptr(std::span<const std::int64_t> row_ptr, std::int64_t columns) {
  if (row_ptr.empty() || row_ptr.front() != 0) {
    throw InputError("the row pointers do not begin with 0");
  }
  for (std::size_t q = 0; q + 1 < row_ptr.size(); ++q) {
    if (row_ptr[q + 1] < row_ptr[q]) {
      refuse(static_cast<std::int64_t>(q),
             "its row pointers decrease from " + format(row_ptr[q]) + " to " +
                 format(row_ptr[q + 1]));
    }
  }
  if (row_ptr.back() != columns) {
    throw InputError("the row pointers end with " + format(row_ptr.back()) + ", but " +
                     format(columns) + " columns are given");
  }
}

void check_columns(int keys,
                   std::int64_t query,
                   std::span<const std::int32_t> columns,
                   bool causal) {
  std::int32_t before = -1;
  for (const std::int32_t key : columns) {
    if (key < 0 || key >= keys) {
      refuse(query, "key " + format(key) + " (expected 0 to " + format(keys - 1) + ")");
    }
    if (key <= before) {
      refuse(query,
             "key " + format(key) + " after key " + format(before) +
                 " (keys must increase)");
    }
    if (causal && key > query) {
      refuse(query, "key " + format(key) + " is later than it, in a causal layer");
    }
    before = key;
  }
}

}  // namespace

void PatternBuilder::see(std::int64_t begin, std::int64_t end) {
  const auto b = static_cast<int>(std::clamp<std::int64_t>(begin, 0, keys_));
  const auto e = static_cast<int>(std::clamp<std::int64_t>(end, 0, keys_));
  if (b >= e) {
    return;
  }
  // Most callers add in ascending order, so that nothing is left to sort.
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

Pattern from_csr(int keys,
                 std::span<const std::int64_t> row_ptr,
                 std::span<const std::int32_t> columns,
                 bool causal) {
  check_row_ptr(row_ptr, std::ssize(columns));
  PatternBuilder builder(keys);
  for (std::size_t q = 0; q + 1 < row_ptr.size(); ++q) {
    const auto row = columns.subspan(at(row_ptr[q]), at(row_ptr[q + 1] - row_ptr[q]));
    check_columns(keys, static_cast<std::int64_t>(q), row, causal);
    for (const std::int32_t key : row) {
      builder.see(key, std::int64_t{key} + 1);
    }
    builder.end_query();
  }
  return builder.take();
}

}  // namespace oa::attention
