#include "oa/qubo/checks.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace oa::qubo {
namespace {

/// The position of the first value that is not finite, or -1.
std::ptrdiff_t first_not_finite(std::span<const float> values) {
  // Infinities and NaN have all exponent bits set, so that adding 1 carries into the
  // sign.  Without a branch, the loop runs at the speed of memory.
  constexpr std::uint32_t kExponent = 0x7f800000;
  constexpr std::uint32_t kOneMore = 0x00800000;
  std::uint32_t carries = 0;
  for (const float v : values) {
    carries |= (std::bit_cast<std::uint32_t>(v) & kExponent) + kOneMore;
  }
  if (carries >> 31 == 0) {
    return -1;
  }
  return std::ranges::find_if(values, [](float v) { return !std::isfinite(v); }) -
         values.begin();
}

std::string cell(std::ptrdiff_t at, int cols) {
  return "[" + format(std::int64_t{at / cols}) + "," + format(std::int64_t{at % cols}) +
         "]";
}

}  // namespace

void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  int cols) {
  const auto at = first_not_finite(values);
  if (at >= 0) {
    throw InputError(where + ": " + std::string(name) + cell(at, cols) + " is " +
                     format(values[static_cast<std::size_t>(at)]) +
                     " (expected a finite number)");
  }
}

void check_symmetric(const std::string& where, std::span<const float> j, int m) {
  const auto size = static_cast<std::size_t>(m);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const float low = j[a * size + b];
      const float high = j[b * size + a];
      if (std::bit_cast<std::uint32_t>(low) != std::bit_cast<std::uint32_t>(high)) {
        throw InputError(where + ": J is not symmetric: J" +
                         cell(static_cast<std::ptrdiff_t>(a * size + b), m) + " is " +
                         format(low) + " but J" +
                         cell(static_cast<std::ptrdiff_t>(b * size + a), m) + " is " +
                         format(high));
      }
    }
  }
}

void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  const Problem& p) {
  if (p.sizes.empty()) {
    check_finite(where, name, values, p.m);
    return;
  }
  const auto at = first_not_finite(values);
  if (at < 0) {
    return;
  }
  int query = 0;
  while (p.begin(query + 1) <= static_cast<std::size_t>(at)) {
    ++query;
  }
  const auto variable = at - static_cast<std::ptrdiff_t>(p.begin(query));
  throw InputError(where + ": " + std::string(name) + " of query " + format(query) +
                   ", variable " + format(std::int64_t{variable}) + ", is " +
                   format(values[static_cast<std::size_t>(at)]) +
                   " (expected a finite number)");
}

}  // namespace oa::qubo
