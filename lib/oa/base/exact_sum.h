#pragma once

#include <array>
#include <compare>
#include <span>

namespace oa {

/// A real number as two doubles: the nearest double, and the double nearest to the
/// remainder.  Comparison orders by value.  Holds every integer below 2^106 exactly.
struct TwoDoubles {
  double value = 0.0;
  double rest = 0.0;

  TwoDoubles() = default;
  TwoDoubles(double nearest, double left = 0.0) : value(nearest), rest(left) {}

  friend std::partial_ordering operator<=>(const TwoDoubles&,
                                           const TwoDoubles&) = default;
};

/// A sum of doubles without error, which value() rounds once.  The result does not
/// depend on the order of the terms, and equal sums are equal doubles.
///
/// Shewchuk, "Adaptive precision floating-point arithmetic" (1997): the sum is stored
/// as doubles that do not overlap.  While every partial sum is a double,
/// as for integers and for floats of similar size, an addition costs six operations.
///
/// The sum is infinite or not a number once a partial sum is.
class ExactSum {
 public:
  void add(double x) {
    const double sum = top_ + x;
    const double error = rounding(top_, x, sum);
    top_ = sum;
    if (error != 0.0) [[unlikely]] {
      keep(error);
    }
  }

  /// Adds many numbers, several times faster than adding one by one.
  void add(std::span<const double> terms);

  void add(const ExactSum& other) {
    add(other.top_);
    for (int i = 0; i < other.count_; ++i) {
      keep(other.parts_[i]);
    }
  }

  void subtract(const ExactSum& other) {
    add(-other.top_);
    for (int i = 0; i < other.count_; ++i) {
      keep(-other.parts_[i]);
    }
  }

  /// The double nearest to the sum, ties to even.
  [[nodiscard]] double value() const;

  /// Returns value() and subtracts it from the sum.
  [[nodiscard]] double take_value() {
    const double nearest = value();
    add(-nearest);
    return nearest;
  }

  /// The sum with twice the digits of a double.
  [[nodiscard]] TwoDoubles two() const;

  /// The sum, or the nearest double below it.
  [[nodiscard]] double rounded_down() const;

 private:
  /// Returns exactly a + b - sum, where sum is a + b rounded (Knuth's two-sum).
  static double rounding(double a, double b, double sum) {
    const double b_part = sum - a;
    return (a - (sum - b_part)) + (b - b_part);
  }

  void keep(double x);

  double top_ = 0.0;
  /// Parts do not overlap; magnitudes increase.  Doubles span 2098 bits, 53 a part.
  std::array<double, 42> parts_;  // not initialised: the first count_ are in use
  int count_ = 0;
};

}  // namespace oa
