#pragma once

#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace oa::solve {

inline constexpr int kMaxSquareBits = 51;  // of numbers in units

/// The square twice / 2 * (sum of entries - right)^2, in units.
struct FoundSquare {
  std::vector<qubo::ProgramRow::Entry> entries;  ///< increasing
  std::int64_t right = 0;
  std::int64_t twice = 0;  ///< twice the penalty
  std::vector<std::int32_t> slack = {};
};

/// Returns the coupling of i and k.  O(log n) if couplings are sparse.
[[nodiscard]] double coupling(const qubo::Quadratic& f, int i, int k);

/// The couplings of a function in units, minus the couplings of squares.
/// Copies a row when it is first used.
class SquareRows {
 public:
  struct Weight {
    std::int32_t other;
    std::int64_t weight;
  };
  using Row = std::vector<Weight>;

  /// `f` must outlive this.
  SquareRows(const qubo::Quadratic& f, int unit)
      : f_(&f),
        unit_(unit),
        rows_(f.linear.size()),
        copied_(f.linear.size()) {}

  [[nodiscard]] std::int64_t units(double weight) const {
    return static_cast<std::int64_t>(std::ldexp(weight, -unit_));
  }
  [[nodiscard]] const Row& row(std::int32_t i);
  /// Returns the remaining coupling of i and k.
  [[nodiscard]] std::int64_t left(std::int32_t i, std::int32_t k);

  /// The reduction of squared couplings by a square, and the square's own sum.
  struct Change {
    double lost = 0.0;
    double own = 0.0;
  };
  /// Estimates the change by a square from a sample of its couplings.
  [[nodiscard]] Change sampled_change(const FoundSquare& s);
  /// Subtracts `sign` times the couplings of a square.  This must shrink the sum of
  /// squared couplings by at least `least_loss` times the square's own sum.
  /// Otherwise, or if numbers become too large, changes nothing and returns false.
  bool subtract(const FoundSquare& s, int sign, double least_loss);

  /// Counts other work like reading and writing couplings.
  void spend(std::int64_t work) { work_ += work; }
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  bool subtract(const FoundSquare& s,
                int sign,
                const qubo::ProgramRow::Entry& e,
                Row& left,
                Change& change);

  const qubo::Quadratic* f_;
  int unit_;
  std::vector<Row> rows_;
  std::vector<bool> copied_;
  std::int64_t work_ = 0;
};

/// True if a number in units is an exact double, with room for sums.
template <class Number>
[[nodiscard]] bool fits(Number number) {
  return std::abs(static_cast<double>(number)) <= std::ldexp(1.0, kMaxSquareBits);
}

}  // namespace oa::solve
