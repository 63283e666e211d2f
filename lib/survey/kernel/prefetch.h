#pragma once

#include "oa/num/matrix.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

inline constexpr int kLineFloats = 64 / sizeof(float);

/// Floats of x's cache line that are before x.
[[nodiscard]] inline int before_in_line(const float* x) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(x) / sizeof(float)) %
         kLineFloats;
}
/// Cache lines of `width` floats at x.
[[nodiscard]] inline int lines_of(const float* x, int width) {
  return (before_in_line(x) + width + kLineFloats - 1) / kLineFloats;
}

/// Prefetches cache lines, `step` floats apart, to the L2 cache.  A product fetches one
/// line in each of its steps: as many at a time as the memory can deliver, without
/// delaying other instructions.  Fetching beyond the last needed line is harmless.
struct LinePrefetch {
  const float* line = nullptr;
  std::ptrdiff_t step = 0;

  void fetch_next() {
    __builtin_prefetch(line, 0, 2);
    line += step;
  }
};

/// Prefetches nothing.
struct NoPrefetch {
  void fetch_next() {}
};

/// A queue of blocks to prefetch.  When it is empty, it repeats a line that is in the
/// cache.
class PrefetchQueue {
 public:
  explicit PrefetchQueue(const float* near) : nothing_{near, 0} {}

  /// Adds rows of `width` floats each.
  void add(const float* first, std::ptrdiff_t stride, int width, int rows) {
    assert(count_ < waiting_.size());
    const int before = before_in_line(first);
    const int lines = lines_of(first, width);
    Columns& next = waiting_[count_++];
    next = {first - before, stride, rows, lines};
    if (stride ==
        std::ptrdiff_t{kLineFloats} * lines) {  // contiguous rows: one long column
      next = {first - before, kLineFloats, rows * lines, 1};
    }
  }

  [[nodiscard]] bool done() const { return left_ <= 0 && first_ == count_; }
  /// The next column, for a product that fetches `lines` lines.
  LinePrefetch& take(int lines) {
    while (left_ <= 0 && first_ < count_) {
      Columns& from = waiting_[first_];
      now_ = {from.line, from.step};
      left_ = from.lines;
      from.line += kLineFloats;
      first_ += --from.columns == 0 ? 1 : 0;
    }
    if (left_ <= 0) {
      return nothing_;
    }
    left_ -= lines;
    return now_;
  }

 private:
  // Column by column of cache lines, so that the step stays the same.
  struct Columns {
    const float* line;
    std::ptrdiff_t step;
    int lines;  // of a column
    int columns;
  };

  std::array<Columns, 6> waiting_{};
  std::size_t count_ = 0;
  std::size_t first_ = 0;
  LinePrefetch now_;
  int left_ = 0;  // of the current column
  LinePrefetch nothing_;
};

/// Columns of cache lines of several views, spread evenly over `passes` passes:
/// fetching all at once would wait for the memory.
class ColumnPrefetch {
 public:
  ColumnPrefetch(std::span<const num::ConstView> views, int passes, const float* near)
      : views_(views),
        passes_(passes),
        nothing_{near, 0} {
    for (const num::ConstView& x : views) {
      columns_ += columns_of(x);
    }
  }

  void next_pass() { ++pass_; }
  /// The next column of this pass; after the last one, a line that is in the cache.
  LinePrefetch take() {
    if (std::int64_t{taken_} * passes_ >= std::int64_t{pass_} * columns_) {
      return nothing_;
    }
    ++taken_;
    for (; column_ == columns_of(views_.front()); column_ = 0) {
      views_ = views_.subspan(1);
    }
    const num::ConstView& x = views_.front();
    return {x.data - before_in_line(x.data) + kLineFloats * column_++, x.stride};
  }

 private:
  static int columns_of(const num::ConstView& x) {
    return x.rows > 0 ? lines_of(x.data, x.cols) : 0;
  }

  std::span<const num::ConstView> views_;  // with columns that are left
  int passes_;
  int columns_ = 0;  // of all views
  int pass_ = 0;
  int taken_ = 0;
  int column_ = 0;  // of the first view
  LinePrefetch nothing_;
};

}  // namespace oa::attention
