#pragma once

#include "oa/base/coefficients.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// The number of spins that encode a coefficient with `levels` levels.
[[nodiscard]] int spins_of(Encoding encoding, int levels);

/// Encodes levels 0 to levels - 1 of a coefficient as weighted sums of its spins.
///
/// One-hot and domain-wall encodings allow only some spin vectors;
/// every other vector violates the encoding.  The sum of such a vector still counts;
/// a sum above the top level means the top level.
class LevelCode {
 public:
  LevelCode(Encoding encoding, int levels);

  [[nodiscard]] int levels() const { return levels_; }
  [[nodiscard]] int spins() const { return static_cast<int>(weights_.size()); }
  [[nodiscard]] std::span<const int> weights() const { return weights_; }
  /// True if some spin vectors violate the encoding.
  [[nodiscard]] bool has_penalty() const {
    return encoding_ == Encoding::OneHot || encoding_ == Encoding::DomainWall;
  }

  [[nodiscard]] int sum(std::span<const std::uint8_t> y) const;
  /// Decodes y: the weighted sum of its spins, clamped to the top level.
  [[nodiscard]] int level(std::span<const std::uint8_t> y) const;
  /// The number of violations in y, each of which costs the penalty:
  /// pairs of ones (one-hot), or zeros followed by a 1 (domain-wall).  0 if y is valid.
  [[nodiscard]] int violations(std::span<const std::uint8_t> y) const;
  /// Sets y to a valid encoding of `level`, ones first.
  void write(int level, std::span<std::uint8_t> y) const;

 private:
  Encoding encoding_;
  int levels_;
  std::vector<int> weights_;
};

/// The encoding of a problem whose coefficients have levels.
[[nodiscard]] LevelCode code_of(const Problem& problem);

/// Decodes a query's spins to levels and repairs violations.  O(spins).
[[nodiscard]] std::vector<std::uint8_t> levels_of(const LevelCode& code,
                                                  std::span<const std::uint8_t> y);
[[nodiscard]] std::vector<std::uint8_t> spins_of(const LevelCode& code,
                                                 std::span<const std::uint8_t> levels);

/// Counts the coefficients of a solution that violate the encoding.
[[nodiscard]] std::int64_t violated(const SolvedProblem& solution);

/// Returns E_i of the spins y of query i.  With q = steps_i and levels k, this is
///   1/q^2 (1/2 k'Jk + q h_i'k) + sum of penalty times violations;
/// the first part is rounded once before the division.
[[nodiscard]] double level_energy(const Problem& problem,
                                  int i,
                                  std::span<const std::uint8_t> y);

/// Query i as a QUBO of its spins y: E_i(y) = (1/2 y'jy + h'y) / units,
/// where units is the square of the steps.  All numbers are exact:
/// the problem's numbers times whole numbers, and penalties rounded to a coarse unit.
struct SpinProblem {
  Matrix j;
  std::vector<double> h;
  double units;
};
[[nodiscard]] SpinProblem spin_problem(const Problem& problem, int i);

}  // namespace oa::qubo
