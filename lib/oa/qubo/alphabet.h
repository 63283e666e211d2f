#pragma once

#include <map>
#include <optional>
#include <string>

namespace oa::qubo {

/// The values of a coefficient of a least squares problem: `levels` values at equal
/// distances, from `lowest` to `highest`.
struct Alphabet {
  double lowest = 0.0;
  double highest = 1.0;
  int levels = 2;
  /// Coefficients are complex: real parts are variables, imaginary parts follow them.
  bool complex = false;

  [[nodiscard]] double step() const { return (highest - lowest) / (levels - 1); }
  [[nodiscard]] double value(int level) const { return lowest + level * step(); }
  /// The level of a value, up to rounding errors; empty if it has none.
  [[nodiscard]] std::optional<int> level_of(double value) const;
  /// Its values, "-3, -1, 1, 3".
  [[nodiscard]] std::string text() const;
};

/// The number of bits in which the Gray codes of two levels differ.
[[nodiscard]] int gray_distance(int level, int other);
/// The number of bits of a level.
[[nodiscard]] int bits_of(const Alphabet& alphabet);

/// As metadata of the head of a stream; oa-stream(5), Least squares.
[[nodiscard]] std::map<std::string, std::string> describe(const Alphabet& alphabet);

/// The inverse; empty if a head is not of least squares problems.  Throws InputError,
/// which begins with `where`.
[[nodiscard]] std::optional<Alphabet> parse_alphabet(
    const std::map<std::string, std::string>& metadata,
    int levels,
    const std::string& where);

}  // namespace oa::qubo
