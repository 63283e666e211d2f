#pragma once

namespace oa::io {

/// A sum of decimals, rounded once: 0.8 - 0.7 is 0.1.  A double means its shortest
/// decimal.  Falls back to a sum of doubles if 38 digits are too few.
class DecimalSum {
 public:
  /// Adds the product a b.
  void add(double a, double b = 1.0);
  [[nodiscard]] double value() const;

 private:
  __extension__ using Int = __int128;

  bool scale(int exponent);

  Int digits_ = 0;  // the sum is digits_ 10^exponent_
  int exponent_ = 0;
  bool exact_ = true;
  double rounded_ = 0.0;  // the sum of doubles, for the fallback
};

/// Returns the product a b of decimals, rounded once.
[[nodiscard]] inline double decimal_product(double a, double b) {
  DecimalSum product;
  product.add(a, b);
  return product.value();
}

}  // namespace oa::io
