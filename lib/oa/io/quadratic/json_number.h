#pragma once

#include "oa/base/error.h"
#include "oa/base/exact_sum.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

// Numbers of JSON documents.

namespace oa::io {

/// A 64-bit integer as two doubles.
template <class Integer>
[[nodiscard]] TwoDoubles in_two_doubles(Integer value) {
  const auto high = static_cast<double>(value - value % (Integer{1} << 32));
  ExactSum sum;
  sum.add(high);
  sum.add(static_cast<double>(value % (Integer{1} << 32)));
  return sum.two();
}

/// A number, with integers exact.  Throws InputError, in which `what` names it.
template <class Json>
[[nodiscard]] TwoDoubles exact_number(const Json& value,
                                      const std::string& what,
                                      const std::string& name) {
  if (value.is_number_unsigned()) {
    return in_two_doubles(value.template get<std::uint64_t>());
  }
  if (value.is_number_integer()) {
    return in_two_doubles(value.template get<std::int64_t>());
  }
  if (!value.is_number() || !std::isfinite(value.template get<double>())) {
    throw InputError(name + ": " + what.substr(0, 60) + " is not a finite number");
  }
  return value.template get<double>();
}

/// Throws InputError if an integer beyond 64 bits, which parsers round, is not a
/// double.
void refuse_long_integers(std::string_view text, const std::string& name);

}  // namespace oa::io
