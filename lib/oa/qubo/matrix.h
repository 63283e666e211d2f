#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/large_allocator.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// The matrix J of problems min over x in {0,1}^n of E(x) = 1/2 x'Jx + h'x:
/// dense, symmetric, double.  Problems with different linear terms h may share J.
class Matrix {
 public:
  using Values = std::vector<double, LargeAllocator<double>>;

  /// `values` is (n,n), symmetric and finite; floats convert exactly.
  Matrix(int n, std::span<const float> values);
  Matrix(int n, std::span<const double> values);
  Matrix(int n, Values values);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] const double* row(int i) const {
    return values_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n_);
  }
  [[nodiscard]] double operator()(int i, int j) const { return row(i)[j]; }

  /// Returns the leading block of `n` variables.
  [[nodiscard]] Matrix leading(int n) const;
  /// Returns the rows and columns `variables`, in the given order.
  [[nodiscard]] Matrix restricted(std::span<const int> variables) const;

 private:
  int n_;
  Values values_;
};

/// Returns the exact E of the x with ones at `ones` (ascending).  O(ones^2).
[[nodiscard]] ExactSum exact_energy(const Matrix& j,
                                    std::span<const double> h,
                                    std::span<const int> ones);

/// Returns exact_energy(), rounded once: equal energies are equal doubles.
[[nodiscard]] double energy(const Matrix& j,
                            std::span<const double> h,
                            std::span<const int> ones);

/// Returns energy() for x given as 0s and 1s.
[[nodiscard]] double energy(const Matrix& j,
                            std::span<const double> h,
                            std::span<const std::uint8_t> x);

}  // namespace oa::qubo
