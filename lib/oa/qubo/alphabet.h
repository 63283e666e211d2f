#pragma once

#include <map>
#include <optional>
#include <string>

namespace oa::qubo {

/// The values allowed for a coefficient of a least squares problem: `levels` values at
/// equal distances from `lowest` to `highest`.
struct Alphabet {
  double lowest = 0.0;
  double highest = 1.0;
  int levels = 2;
  /// Coefficients are complex: variables hold real parts, then imaginary parts.
  bool complex = false;

  [[nodiscard]] double step() const { return (highest - lowest) / (levels - 1); }
  [[nodiscard]] double value(int level) const { return lowest + level * step(); }
  /// Returns the level of `value`, up to rounding errors; empty if no level is equal.
  [[nodiscard]] std::optional<int> level_of(double value) const;
  /// Lists the values, "-3, -1, 1, 3".
  [[nodiscard]] std::string text() const;
};

/// The number of bits in which the Gray codes of two levels differ.
[[nodiscard]] int gray_distance(int level, int other);
/// The number of bits of a level.
[[nodiscard]] int bits_of(const Alphabet& alphabet);

/// Writes the alphabet as metadata of a stream's head; oa-stream(5), Least squares.
[[nodiscard]] std::map<std::string, std::string> describe(const Alphabet& alphabet);

/// Reads the metadata that describe() wrote; empty if the head has no alphabet.
/// Throws InputError, prefixed with `where`.
[[nodiscard]] std::optional<Alphabet> parse_alphabet(
    const std::map<std::string, std::string>& metadata,
    int levels,
    const std::string& where);

}  // namespace oa::qubo
