#pragma once

#include "oa/base/large_allocator.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// Computes exact_energy() for many x,
/// rounded to twice the digits of a double, but faster.
///
/// Sums coefficients as 64-bit integers if all are multiples of a power of 2, the unit,
/// and sum to less than 2^62 units.  Whole numbers are such, and floats of similar
/// magnitude.  Sums all other coefficients as exact_energy() does.
class Energies {
 public:
  /// Keeps a reference to `j`.  O(n^2).
  explicit Energies(const Matrix& j);

  /// Sets the linear terms.  `rests` are remainders of coefficients beyond their
  /// doubles, without a constant. h and rests must outlive this.  O(n + rests).
  void set_linear(std::span<const double> h, std::span<const Term> rests = {});

  /// Returns E of the x with ones at `ones` (ascending).  O(ones^2 + rests).
  [[nodiscard]] TwoDoubles operator()(std::span<const int> ones);

  /// All energies are multiples of step(); 0 if sums are in floating point.
  [[nodiscard]] double step() const { return step_; }

 private:
  void choose_unit(double total);
  bool in_units(double x, std::int64_t& units) const;
  bool row_in_units(const double* row, int count, std::int64_t* units) const;
  template <class Take>
  void each_rest(std::span<const int> ones, const Take& take);

  const Matrix* j_;
  std::vector<std::int64_t, LargeAllocator<std::int64_t>>
      pairs_;                         // J_ab for b < a, at a (a-1) / 2 + b
  std::vector<std::int64_t> halves_;  // J_aa / 2
  std::int64_t bits_ = 0;             // bitwise or of all pairs_
  bool matrix_in_units_ = false;
  double unit_ = 1.0;
  double units_ = 1.0;  // 1 / unit_
  double room_ = 0.0;   // maximum sum of linear terms

  std::span<const double> h_;
  std::vector<std::int64_t> linear_;  // h_a + J_aa / 2
  std::span<const Term> rests_;
  std::vector<std::int64_t> rests_in_units_;
  std::vector<bool> is_one_;  // scratch
  double step_ = 0.0;
};

}  // namespace oa::qubo
