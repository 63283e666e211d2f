#pragma once

#include "oa/base/arena.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace oa::num {

/// Rows are padded with zeros to a multiple of kLane floats, the widest vector, so that
/// kernels need no remainder loops.
inline constexpr int kLane = 16;

[[nodiscard]] constexpr int padded(int n) {
  return (n + kLane - 1) / kLane * kLane;
}

/// A row-major matrix in borrowed memory.  Rows begin `stride` floats apart,
/// a multiple of kLane; the padding between cols and stride is zero.
struct ConstView {
  const float* data = nullptr;
  int rows = 0;
  int cols = 0;
  int stride = 0;

  [[nodiscard]] const float* row(int i) const {
    return data + static_cast<std::ptrdiff_t>(i) * stride;
  }
  [[nodiscard]] float operator()(int i, int j) const { return row(i)[j]; }
  [[nodiscard]] ConstView top(int count) const { return {data, count, cols, stride}; }
};

/// A writable ConstView.
struct View {
  float* data = nullptr;
  int rows = 0;
  int cols = 0;
  int stride = 0;

  operator ConstView() const { return {data, rows, cols, stride}; }  // NOLINT: as span
  [[nodiscard]] float* row(int i) const {
    return data + static_cast<std::ptrdiff_t>(i) * stride;
  }
  [[nodiscard]] float& operator()(int i, int j) const { return row(i)[j]; }
  [[nodiscard]] View top(int count) const { return {data, count, cols, stride}; }
};

[[nodiscard]] inline bool same_shape(ConstView a, ConstView b) {
  return a.rows == b.rows && a.cols == b.cols;
}

/// Allocates a matrix of zeros from `arena`.
[[nodiscard]] View zeros(int rows, int cols, Arena& arena);
/// Allocates `size` zeros from `arena`, rounded up to a multiple of kLane.
[[nodiscard]] std::span<float> zeros(std::int64_t size, Arena& arena);

/// Zeroed floats on a 64-byte boundary, rounded up to a multiple of kLane.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size);
  Buffer(const Buffer& other);
  Buffer& operator=(const Buffer& other);
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;
  ~Buffer() = default;

  [[nodiscard]] std::span<float> span() { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const float> span() const { return {data_.get(), size_}; }
  [[nodiscard]] float* data() { return data_.get(); }
  [[nodiscard]] const float* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    std::size_t bytes;
    void operator()(float* p) const;
  };
  std::unique_ptr<float[], Free> data_;
  std::size_t size_ = 0;
};

/// A matrix that owns its memory.
class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int cols)
      : buffer_(static_cast<std::size_t>(rows) *
                static_cast<std::size_t>(padded(cols))),
        rows_(rows),
        cols_(cols) {}

  operator View() {  // NOLINT: implicit, as span
    return {buffer_.data(), rows_, cols_, padded(cols_)};
  }
  operator ConstView() const {  // NOLINT: implicit, as span
    return {buffer_.data(), rows_, cols_, padded(cols_)};
  }
  [[nodiscard]] View view() { return *this; }
  [[nodiscard]] ConstView view() const { return *this; }
  [[nodiscard]] float* row(int i) { return view().row(i); }
  [[nodiscard]] const float* row(int i) const { return view().row(i); }
  [[nodiscard]] float& operator()(int i, int j) { return view()(i, j); }
  [[nodiscard]] float operator()(int i, int j) const { return view()(i, j); }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int cols() const { return cols_; }

 private:
  Buffer buffer_;
  int rows_ = 0;
  int cols_ = 0;
};

}  // namespace oa::num
