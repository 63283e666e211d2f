#pragma once

#include "oa/solve/polynomial/whole_polynomial.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The monomials of a polynomial, stored for flips.
/// Each variable first has its monomials with one other variable.
/// Then come monomials with two and with three other variables, beside their weights.
/// Last come indices of longer monomials, whose zeros are counted.
///
/// Weights are 64-bit multiples of the polynomial's unit.
/// Weights with too many digits are rounded to multiples of 2^shift() units.
class FlipTable {
 public:
  explicit FlipTable(const WholePolynomial& p);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] bool spin() const { return spin_; }
  [[nodiscard]] int shift() const { return shift_; }
  /// The approximate number of numbers that a flip reads.
  [[nodiscard]] std::int64_t work(int variable) const {
    return work_[static_cast<std::size_t>(variable)];
  }
  /// The greatest common divisor of all differences of values.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  friend class FlipState;
  static constexpr int kShort = 4;  // maximum degree of contiguous monomials

  struct Row {
    /// other[k] is the begin and the end of monomials with k + 1 other variables.
    std::array<std::size_t, kShort> other{};
    std::array<std::size_t, kShort> weight{};
    std::size_t long_begin = 0;
    std::size_t long_end = 0;
  };

  void add_rows(const WholePolynomial& p, const MonomialIndex& index);

  int n_;
  bool spin_;
  int shift_ = 0;
  std::int64_t step_ = 0;
  std::vector<Row> rows_;
  std::vector<std::int32_t> others_;
  std::vector<std::int64_t> weights_;  // 4 times the weight for spins
  std::vector<std::int32_t> long_of_;  // long monomials of each variable
  // All monomials.
  std::vector<std::int64_t> all_weights_;
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> variables_;
  std::vector<std::int64_t> work_;
};

/// A vector x, with the change of the value by each flip.
class FlipState {
 public:
  /// Starts at x = 0.  `table` must outlive this.
  explicit FlipState(const FlipTable& table);

  /// Sets x.  O(size of all monomials).
  void set(std::span<const std::uint8_t> x);
  /// Flips x_i.  O(size of the monomials of i).
  void flip(int i);

  [[nodiscard]] const FlipTable& table() const { return *table_; }
  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// The value without the polynomial's constant.
  [[nodiscard]] std::int64_t value() const { return value_; }
  [[nodiscard]] std::span<const std::int64_t> gains() const { return gains_; }

 private:
  template <int kOthers>
  void flip_short(int i);
  void flip_long(int i);

  const FlipTable* table_;
  std::vector<std::uint8_t> x_;
  std::vector<std::int64_t> mask_;  // all bits set for spins at -1 and binaries at 1
  std::vector<std::int64_t> gains_;
  std::vector<std::int32_t> zeros_;  // zeros in each long monomial
  std::int64_t value_ = 0;
};

}  // namespace oa::solve
