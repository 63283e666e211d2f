#pragma once

#include "oa/base/rng.h"
#include "oa/num/matrix.h"
#include "ref/plain_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace oa::test {

/// Numbers in double, row by row: what plain versions of kernels compute with.
using Table = Plain;

/// A matrix of floats inside a wider one, not aligned, surrounded by NaN, so
/// that a kernel that counts it shows, and stays so, which the destructor holds.
class Inside {
 public:
  static constexpr int kBefore = 3;
  static constexpr int kBehind = 6;

  Inside(int rows, int cols)
      : stride_(cols + kBefore + kBehind),
        memory_(static_cast<std::size_t>(rows * stride_ + kBehind),
                std::numeric_limits<float>::quiet_NaN()),
        view_{memory_.data() + kBefore, rows, cols, stride_} {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) {
        view_(i, j) = 0.0F;
      }
    }
  }
  explicit Inside(const Table& from) : Inside(from.rows, from.cols) {
    for (int i = 0; i < from.rows; ++i) {
      for (int j = 0; j < from.cols; ++j) {
        view_(i, j) = static_cast<float>(from(i, j));
      }
    }
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const int column = static_cast<int>(i) % stride_ - kBefore;
      const bool ours = column >= 0 && column < view_.cols &&
                        static_cast<int>(i) / stride_ < view_.rows;
      if (!ours && !std::isnan(memory_[i])) {
        FAIL_CHECK("a kernel wrote beside its columns");
      }
    }
  }
  operator num::View() { return view_; }       // NOLINT: as span
  operator num::ConstView() { return view_; }  // NOLINT: as span
  [[nodiscard]] num::View view() { return view_; }
  [[nodiscard]] float& operator()(int i, int j) { return view_(i, j); }

 private:
  int stride_;
  std::vector<float> memory_;
  num::View view_;
};

/// Normal numbers times `scale` that are floats.
[[nodiscard]] inline Table drawn_table(Rng& rng,
                                       int rows,
                                       int cols,
                                       double scale = 1.0) {
  Table t(rows, cols);
  for (double& x : t.data) {
    x = static_cast<double>(static_cast<float>(scale * rng.normal()));
  }
  return t;
}

}  // namespace oa::test
