#pragma once

#include <limits>
#include <string>

namespace oa {

/// The values allowed for a setting; by default, all finite numbers.
struct Range {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
  bool above_low = false;   ///< `low` itself is not allowed
  bool below_high = false;  ///< `high` itself is not allowed

  [[nodiscard]] bool has_low() const;
  [[nodiscard]] bool has_high() const;
  [[nodiscard]] bool contains(double value) const;

  /// "1 to 9", "at least 0", "at least 0 and below 1"; "any" without limits.
  [[nodiscard]] std::string text() const;

  /// "a number from 1 to 9", "a number of at least 0", "a number above 0", "a number".
  [[nodiscard]] std::string text_of(const std::string& noun) const;

 private:
  [[nodiscard]] bool from_to() const;  ///< both limits exist and are allowed
};

}  // namespace oa
