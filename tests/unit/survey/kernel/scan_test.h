#pragma once

#include "oa/base/rng.h"
#include "oa/num/matrix.h"
#include "oa/num/simd.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

namespace oa::test {

/// Numbers in double, row by row: what plain versions of kernels compute with.
struct Table {
  Table() = default;
  Table(int r, int c)
      : rows(r),
        cols(c),
        data(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  [[nodiscard]] double& operator()(int i, int j) {
    return data[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) +
                static_cast<std::size_t>(j)];
  }
  [[nodiscard]] double operator()(int i, int j) const {
    return const_cast<Table&>(*this)(i, j);  // NOLINT: only read
  }
  int rows = 0;
  int cols = 0;
  std::vector<double> data;
};

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

inline void check_near(num::ConstView fast, const Table& slow, double tolerance) {
  REQUIRE(fast.rows == slow.rows);
  REQUIRE(fast.cols == slow.cols);
  double largest = 1.0;
  double worst = 0.0;
  for (int i = 0; i < fast.rows; ++i) {
    for (int j = 0; j < fast.cols; ++j) {
      const double error = std::abs(static_cast<double>(fast(i, j)) - slow(i, j));
      largest = std::max(largest, std::abs(slow(i, j)));
      worst = std::isnan(error) ? error : std::max(worst, error);
    }
  }
  CHECK(worst <= tolerance * largest);
}

/// Derivatives of loss() by every element of `x`, by central differences.
[[nodiscard]] inline Table differences(Table& x, const std::function<double()>& loss) {
  Table slope(x.rows, x.cols);
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const double kept = x.data[i];
    const double step = 1e-5 * std::max(1.0, std::abs(kept));
    x.data[i] = kept + step;
    const double above = loss();
    x.data[i] = kept - step;
    const double below = loss();
    x.data[i] = kept;
    slope.data[i] = (above - below) / (2.0 * step);
  }
  return slope;
}

[[nodiscard]] inline double dot(const Table& a, const Table& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    sum += a.data[i] * b.data[i];
  }
  return sum;
}

[[nodiscard]] inline bool equal(num::ConstView a, num::ConstView b) {
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) {
      if (a(i, j) != b(i, j)) {
        return false;
      }
    }
  }
  return a.rows == b.rows && a.cols == b.cols;
}

/// Runs `work` with the kernels of every instruction set that this machine has.
template <class Work>
void for_simd_targets(const Work& work) {
  const std::vector<std::string_view> targets = num::simd_targets();
  for (const std::string_view name : targets) {
    INFO(name);
    num::use_simd_target(name);
    work();
  }
  num::use_simd_target(targets.front());
}

}  // namespace oa::test
