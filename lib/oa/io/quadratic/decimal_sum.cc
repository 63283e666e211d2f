#include "oa/io/quadratic/decimal_sum.h"

#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace oa::io {
namespace {

struct ShortDecimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

/// Returns the shortest decimal that reads as `value`: up to 17 digits.
ShortDecimal shortest(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  ShortDecimal d;
  const char* at = text.data();
  const bool negative = *at == '-';
  bool fraction = false;
  for (at += negative ? 1 : 0; *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    d.digits = 10 * d.digits + (*at - '0');
    d.exponent -= fraction ? 1 : 0;
  }
  ++at;  // skips e, and a + that from_chars() refuses
  int exponent = 0;
  std::from_chars(*at == '+' ? at + 1 : at, end.ptr, exponent);
  d.exponent += exponent;
  d.digits = negative ? -d.digits : d.digits;
  return d;
}

}  // namespace

/// Lowers the sum's exponent to `exponent`.  False if the digits overflow.
bool DecimalSum::scale(int exponent) {
  constexpr Int kMax = Int{1} << 120;
  for (; exponent_ > exponent && digits_ != 0; --exponent_) {
    if (digits_ > kMax / 10 || digits_ < -kMax / 10) {
      return false;
    }
    digits_ *= 10;
  }
  exponent_ = std::min(exponent_, exponent);
  return true;
}

void DecimalSum::add(double a, double b) {
  rounded_ += a * b;
  if (!exact_ || a == 0.0 || b == 0.0) {
    return;
  }
  const ShortDecimal x = shortest(a);
  const ShortDecimal y = shortest(b);
  DecimalSum product;
  product.digits_ = Int{x.digits} * y.digits;
  product.exponent_ = x.exponent + y.exponent;
  exact_ = scale(product.exponent_) && product.scale(exponent_);
  digits_ += exact_ ? product.digits_ : 0;
}

double DecimalSum::value() const {
  if (!exact_) {
    return rounded_;
  }
  std::string text;
  for (Int left = digits_ < 0 ? -digits_ : digits_; left != 0; left /= 10) {
    text += static_cast<char>('0' + static_cast<int>(left % 10));
  }
  text += digits_ < 0 ? "-" : text.empty() ? "0" : "";
  std::ranges::reverse(text);
  return parse_double(text + "e" + format(std::int64_t{exponent_})).value_or(rounded_);
}

}  // namespace oa::io
