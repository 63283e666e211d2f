#include "oa/base/range.h"

#include "oa/base/number.h"

#include <cmath>

namespace oa {
namespace {

/// The limit as text, without an exponent if it is whole: 1000000, not 1e+06.
std::string limit_text(double limit) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const bool whole = std::abs(limit) <= kExact && limit == std::trunc(limit);
  return whole ? format(static_cast<std::int64_t>(limit)) : format(limit);
}

}  // namespace

bool Range::has_low() const {
  return low > std::numeric_limits<double>::lowest();
}

bool Range::has_high() const {
  return high < std::numeric_limits<double>::max();
}

bool Range::from_to() const {
  return has_low() && has_high() && !above_low && !below_high;
}

bool Range::contains(double value) const {
  return (above_low ? value > low : value >= low) &&
         (below_high ? value < high : value <= high);
}

std::string Range::text() const {
  if (from_to()) {
    return limit_text(low) + " to " + limit_text(high);
  }
  std::string all;
  if (has_low()) {
    all = (above_low ? "above " : "at least ") + limit_text(low);
  }
  if (has_high()) {
    all += (all.empty() ? "" : " and ");
    all += (below_high ? "below " : "at most ") + limit_text(high);
  }
  return all.empty() ? "any" : all;
}

std::string Range::text_of(const std::string& noun) const {
  if (!has_low() && !has_high()) {
    return noun;
  }
  const std::string limits = text();
  const char* link = from_to() ? " from " : limits.starts_with("at ") ? " of " : " ";
  return noun + link + limits;
}

}  // namespace oa
