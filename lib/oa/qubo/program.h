#pragma once

#include "oa/qubo/polynomial.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::qubo {

/// A constraint without products, of 0/1 variables, in whole numbers:
///   low <= sum of weights times variables <= high.
struct ProgramRow {
  struct Entry {
    std::int32_t variable;
    std::int64_t weight;
  };
  std::vector<Entry> entries;  ///< in rising order; weights have no common divisor
  std::int64_t least = 0;      ///< of the sum
  std::int64_t most = 0;
  std::int64_t low = 0;   ///< from least to most + 1
  std::int64_t high = 0;  ///< from least - 1 to most

  [[nodiscard]] bool always() const { return low <= least && high >= most; }
  [[nodiscard]] bool never() const { return low > high; }
};

/// A polynomial with constraints as a program of 0/1 variables to be minimised.
struct Program {
  int n = 0;
  /// A sum that is not a double is several monomials of the same variables.
  std::vector<Monomial> objective;
  std::vector<ProgramRow> rows;  ///< one for each constraint
};

/// The largest sum of the magnitudes of a constraint's whole weights; oa-formats(5),
/// LIMITS.
inline constexpr double kMaxWhole = 0x1p50;

/// A constraint whose numbers are not short holds if it is missed by at most this share
/// of the sum of the magnitudes of its weights.
inline constexpr double kTolerance = 1e-9;

/// Makes the numbers of all constraints whole: 0.1 and 0.3 become 1 and 3, as decimals
/// are meant exactly.  Numbers with too many digits for that are rounded, and the
/// constraint gets a tolerance.  A constraint that never holds may become 0 = 1. Prices
/// of soft constraints become those of a violation by 1.  Throws InputError, which
/// begins with `where`, if a constraint has too many weights.
void make_whole(Polynomial& p, const std::string& where);

/// The row of a constraint with whole numbers.
[[nodiscard]] ProgramRow row_of(const Constraint& c, Vartype vartype);

/// Constraints have whole numbers.  Throws InputError, which begins with `where`.
[[nodiscard]] Program program_of(const Polynomial& p, const std::string& where);

}  // namespace oa::qubo
