#pragma once

#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace oa::solve {

inline constexpr int kMaxSquareBits = 51;  // of numbers in units

/// twice (sum of entries - right)^2 / 2, in units.
struct FoundSquare {
  std::vector<qubo::ProgramRow::Entry> entries;  ///< in rising order
  std::int64_t right = 0;
  std::int64_t twice = 0;  ///< the penalty
  std::vector<std::int32_t> slack = {};
};

/// The coupling of i and k.  O(log n) if couplings are sparse.
[[nodiscard]] double coupling(const qubo::Quadratic& f, int i, int k);

/// The couplings of a function in units, less those of squares.  A row is copied when
/// it is first asked for.
class SquareRows {
 public:
  struct Weight {
    std::int32_t other;
    std::int64_t weight;
  };
  using Row = std::vector<Weight>;

  /// `f` must outlive it.
  SquareRows(const qubo::Quadratic& f, int unit)
      : f_(&f),
        unit_(unit),
        rows_(f.linear.size()),
        copied_(f.linear.size()) {}

  [[nodiscard]] std::int64_t units(double weight) const {
    return static_cast<std::int64_t>(std::ldexp(weight, -unit_));
  }
  [[nodiscard]] const Row& row(std::int32_t i);
  /// The coupling of i and k in what is left.
  [[nodiscard]] std::int64_t left(std::int32_t i, std::int32_t k);

  /// What a square takes from the squares of its couplings, and the sum of its own.
  struct Change {
    double lost = 0.0;
    double own = 0.0;
  };
  /// The change by a square, from some of its couplings.
  [[nodiscard]] Change sampled_change(const FoundSquare& s);
  /// Subtracts `sign` times the couplings of a square, if these lose the share
  /// `least_loss` of its own.  False, with nothing changed, if not, or if numbers
  /// become too large.
  bool subtract(const FoundSquare& s, int sign, double least_loss);

  /// Couplings read and written, and other work.
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

/// True if a number in units is exact in a double, with room for sums.
template <class Number>
[[nodiscard]] bool fits(Number number) {
  return std::abs(static_cast<double>(number)) <= std::ldexp(1.0, kMaxSquareBits);
}

}  // namespace oa::solve
