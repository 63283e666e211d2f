#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace oa::attention {

/// Lines of the cache that are needed soon, one `step` behind the other.  A product
/// fetches one in each of its steps, to the second cache: that is as many at a time as
/// the memory can bring, and no other instructions wait for them.  They go on behind
/// those that are needed, which does no harm.
struct LinesAhead {
  const float* line = nullptr;
  std::ptrdiff_t step = 0;

  void fetch_next() {
    __builtin_prefetch(line, 0, 2);
    line += step;
  }
};

/// What is fetched one after the other; then nothing, which is a line that is near
/// again and again.
class AheadQueue {
 public:
  explicit AheadQueue(const float* near) : nothing_{near, 0} {}

  /// Rows with `width` floats each.
  void add(const float* first, std::ptrdiff_t stride, int width, int rows) {
    assert(count_ < waiting_.size());
    const auto before =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(first) / sizeof(float)) %
        kLine;
    const int lines = (before + width + kLine - 1) / kLine;
    Columns& next = waiting_[count_++];
    next = {first - before, stride, rows, lines};
    if (stride == std::ptrdiff_t{kLine} * lines) {  // one long column
      next = {first - before, kLine, rows * lines, 1};
    }
  }

  [[nodiscard]] bool done() const { return left_ <= 0 && first_ == count_; }
  /// Where the next product takes `lines` from.
  LinesAhead& take(int lines) {
    while (left_ <= 0 && first_ < count_) {
      Columns& from = waiting_[first_];
      now_ = {from.line, from.step};
      left_ = from.lines;
      from.line += kLine;
      first_ += --from.columns == 0 ? 1 : 0;
    }
    if (left_ <= 0) {
      return nothing_;
    }
    left_ -= lines;
    return now_;
  }

 private:
  static constexpr int kLine = 64 / sizeof(float);

  // The first lines of all rows, then the second ones, and so on: so a step stays the
  // same.
  struct Columns {
    const float* line;
    std::ptrdiff_t step;
    int lines;  // of a column
    int columns;
  };

  std::array<Columns, 4> waiting_{};
  std::size_t count_ = 0;
  std::size_t first_ = 0;
  LinesAhead now_;
  int left_ = 0;  // of this column
  LinesAhead nothing_;
};

}  // namespace oa::attention
