#pragma once

#include "oa/base/exact_sum.h"
#include "oa/encode/least_squares.h"
#include "oa/qubo/levels.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::encode {

/// A problem that encode() poses, in exact numbers instead of floats.  Query i has for
/// levels k the energy
///   E_i(k) = 1/q^2 (1/2 k'Jk + q h_i'k),
/// where q are the steps of encode().
class ExactSquares {
 public:
  /// `rounded` is the result of encode() for `problem`, which has no penalty.  The
  /// arrays of `problem` must outlive this.  O(m^2 d).
  ExactSquares(const LeastSquares& problem,
               const qubo::Alphabet& alphabet,
               const qubo::Problem& rounded);

  /// The maximum of |E_i - E'_i| over all levels, where E'_i are the energies of
  /// `rounded`.  0 if floats hold all numbers; infinite if products underflow.
  [[nodiscard]] double rounding(int i) const;

  /// q^2 E_i over the digits of the levels.  Digits in a wrong order cost a penalty, if
  /// the number of levels is not a power of two.
  [[nodiscard]] qubo::Quadratic function(int i) const;
  [[nodiscard]] std::vector<std::uint8_t> digits_of(
      std::span<const std::uint8_t> levels) const {
    return qubo::spins_of(code_, levels);
  }
  [[nodiscard]] std::vector<std::uint8_t> levels_of(
      std::span<const std::uint8_t> digits) const {
    return qubo::levels_of(code_, digits);
  }

  /// |q_i - x'V|^2 - |q_i|^2 + lambda |x|_1 - E_i, the same for all x.
  [[nodiscard]] ExactSum constant(int i) const;

 private:
  [[nodiscard]] std::span<const double> value(int a) const;
  [[nodiscard]] std::span<const double> query(int i) const;
  [[nodiscard]] ExactSum field(int i, int a) const;
  void add_pair(int a, int b, ExactSum weight, std::vector<qubo::Term>& terms) const;

  LeastSquares problem_;
  double lowest_;
  double scale_;  // of the values in J
  double steps_;
  qubo::LevelCode code_;
  const qubo::Problem& rounded_;
  std::vector<ExactSum> sums_;  // for each value its products with all values
  qubo::Quadratic couplings_;
  double changed_ = 0.0;  // sum of |J - J'| / 2
  bool exact_ = true;
};

}  // namespace oa::encode
