#pragma once

#include "oa/qubo/polynomial.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// A linear constraint of 0/1 variables, in whole numbers:
///   low <= sum of weights times variables <= high.
struct ProgramRow {
  struct Entry {
    std::int32_t variable;
    std::int64_t weight;
  };
  std::vector<Entry> entries = {};  ///< increasing; weights have no common divisor
  std::int64_t least = 0;           ///< minimum of the sum
  std::int64_t most = 0;
  std::int64_t low = 0;   ///< from least to most + 1
  std::int64_t high = 0;  ///< from least - 1 to most

  [[nodiscard]] bool always() const { return low <= least && high >= most; }
  [[nodiscard]] bool never() const { return low > high; }
};

/// Minimises a polynomial of 0/1 variables under linear constraints.
struct Program {
  int n = 0;
  /// A coefficient that is not a double is stored as several monomials.
  std::vector<Monomial> objective;
  std::vector<ProgramRow> rows;  ///< a row a constraint
};

/// The maximum sum of magnitudes of the whole weights of a constraint;
/// oa-formats(5), LIMITS.
inline constexpr double kMaxWhole = 0x1p50;

/// The relative tolerance of a constraint whose numbers are not short decimals:
/// a share of the sum of the magnitudes of its weights.
inline constexpr double kTolerance = 1e-9;

/// Makes the numbers of all constraints whole: 0.1 and 0.3 become 1 and 3,
/// since decimals are exact.  Numbers with more digits are rounded,
/// and the constraint gets a tolerance.  An infeasible constraint may become 0 = 1.
/// Scales the prices of soft constraints by the same factors.
/// Throws InputError, prefixed with `where`, for too many weights.
void make_whole(Polynomial& p, const std::string& where);

/// Converts a constraint with whole numbers to a row.
[[nodiscard]] ProgramRow row_of(const Constraint& c, Vartype vartype);

/// True if each row forbids that two variables are both 1.
[[nodiscard]] bool only_conflicts(std::span<const ProgramRow> rows);

/// Constraints must be whole.  Throws InputError, prefixed with `where`.
[[nodiscard]] Program program_of(const Polynomial& p, const std::string& where);

}  // namespace oa::qubo
