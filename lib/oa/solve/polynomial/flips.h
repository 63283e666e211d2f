#pragma once

#include "oa/solve/polynomial/whole_polynomial.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The monomials of a polynomial as flips need them: for each variable, first those
/// with one other variable, then with two and three, contiguous and with these
/// variables beside their weights; longer ones are counted.
///
/// Weights are 64-bit integers: units of the polynomial, or 2^shift() of them, rounded,
/// if these have too many digits.
class FlipTable {
 public:
  explicit FlipTable(const WholePolynomial& p);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] bool spin() const { return spin_; }
  [[nodiscard]] int shift() const { return shift_; }
  /// The numbers that a flip of this variable touches, about.
  [[nodiscard]] std::int64_t work(int variable) const {
    return work_[static_cast<std::size_t>(variable)];
  }
  /// The largest number that divides all differences of values.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  friend class FlipState;
  static constexpr int kShort = 4;  // the degree of the longest ones kept with others

  struct Row {
    /// By number of other variables - 1: where others and weights begin and end.
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
  std::vector<std::int64_t> weights_;  // 4 w for spins
  std::vector<std::int32_t> long_of_;  // long monomials of variables
  // All monomials.
  std::vector<std::int64_t> all_weights_;
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> variables_;
  std::vector<std::int64_t> work_;
};

/// A vector x, and what a flip of each variable would add to the value.
class FlipState {
 public:
  /// Begins at 0.  `table` must outlive this.
  explicit FlipState(const FlipTable& table);

  /// O(size of all monomials).
  void set(std::span<const std::uint8_t> x);
  /// O(size of the monomials of i).
  void flip(int i);

  [[nodiscard]] const FlipTable& table() const { return *table_; }
  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// The value without the constant.
  [[nodiscard]] std::int64_t value() const { return value_; }
  [[nodiscard]] std::span<const std::int64_t> gains() const { return gains_; }

 private:
  template <int kOthers>
  void flip_short(int i);
  void flip_long(int i);

  const FlipTable* table_;
  std::vector<std::uint8_t> x_;
  std::vector<std::int64_t> mask_;  // all bits set: -1 of spins, 1 of binary variables
  std::vector<std::int64_t> gains_;
  std::vector<std::int32_t> zeros_;  // of each monomial, if it is long
  std::int64_t value_ = 0;
};

}  // namespace oa::solve
