#pragma once

#include "oa/attention/kernel/scan/packing.h"
#include "oa/attention/site.h"

#include <array>
#include <cstdint>
#include <span>

namespace oa::attention {

// Kinds that are causal by nature read a sequence from its first token on.  Where a
// site is not causal they read it a second time, from the last token, with the same
// parameters, and what the two readings yield is averaged.

enum class Reading : std::uint8_t { FromFirst, FromLast };

[[nodiscard]] inline std::span<const Reading> readings_at(const Site& site) {
  static constexpr std::array kBoth{Reading::FromFirst, Reading::FromLast};
  return std::span(kBoth).first(site.causal ? 1 : 2);
}

/// The rows of x as a reading comes by them.
template <class AnyView>
[[nodiscard]] AnyView in_order(Reading reading, AnyView x) {
  return reading == Reading::FromFirst ? x : reversed(x);
}

}  // namespace oa::attention
