#pragma once

#include "oa/base/coefficients.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// How many spins make a coefficient of so many levels.
[[nodiscard]] int spins_of(Encoding encoding, int levels);

/// The levels 0 to levels - 1 of a coefficient as the sums of its spins' weights.
///
/// Every choice of spins has a sum.  Those that the encoding does not allow, which only
/// one-hot and domain-wall know, are violated; a sum beyond the top level is read as
/// the top level, which is the nearest.
class LevelCode {
 public:
  LevelCode(Encoding encoding, int levels);

  [[nodiscard]] int levels() const { return levels_; }
  [[nodiscard]] int spins() const { return static_cast<int>(weights_.size()); }
  [[nodiscard]] std::span<const int> weights() const { return weights_; }
  /// Whether some choices of spins are violated.
  [[nodiscard]] bool has_penalty() const {
    return encoding_ == Encoding::OneHot || encoding_ == Encoding::DomainWall;
  }

  [[nodiscard]] int sum(std::span<const std::uint8_t> y) const;
  /// The valid level that is nearest to the sum.
  [[nodiscard]] int level(std::span<const std::uint8_t> y) const;
  /// How often the penalty counts: the pairs of spins that are 1 (one-hot), the zeros
  /// followed by a 1 (domain-wall).  0 if valid.
  [[nodiscard]] int violations(std::span<const std::uint8_t> y) const;
  /// Sets y to the valid choice for a level that has its ones first.
  void write(int level, std::span<std::uint8_t> y) const;

 private:
  Encoding encoding_;
  int levels_;
  std::vector<int> weights_;
};

/// The code of a problem whose coefficients have levels.
[[nodiscard]] LevelCode code_of(const Problem& problem);

/// The levels that spins say, those that are violated repaired; O(spins).
[[nodiscard]] std::vector<std::uint8_t> levels_of(const LevelCode& code,
                                                  std::span<const std::uint8_t> y);
[[nodiscard]] std::vector<std::uint8_t> spins_of(const LevelCode& code,
                                                 std::span<const std::uint8_t> levels);

/// How many coefficients of a solution are violated.
[[nodiscard]] std::int64_t violated(const SolvedProblem& solution);

/// E_i of the spins y of query i.  With q = steps_i and whole levels k, this is
///   1/q^2 (1/2 k'Jk + q h_i'k) + sum of penalty times violations;
/// the first part is rounded once before it is divided.
[[nodiscard]] double level_energy(const Problem& problem,
                                  int i,
                                  std::span<const std::uint8_t> y);

/// Query i as a QUBO of its spins: E_i(y) = (1/2 y'jy + h'y) / units, where units is
/// the square of the steps.  The numbers are those of the problem times whole numbers,
/// which is exact; penalties are rounded to a coarse unit.
struct SpinProblem {
  Matrix j;
  std::vector<double> h;
  double units;
};
[[nodiscard]] SpinProblem spin_problem(const Problem& problem, int i);

}  // namespace oa::qubo
