#pragma once

#include "oa/attention/formula/operation.h"
#include "oa/parts/params.h"
#include "survey/kernel/scan/packing.h"

#include <cstdint>

namespace oa::attention {

// Recurrent kinds read a sequence from its first token on.
// Layers that are not causal also read from the last token, with the same parameters.
// Layers average the values of both readings, before gate and output map.

enum class Reading : std::uint8_t { FromFirst, FromLast };

/// The initial bias of decays: sigmoids from 0.98 to 0.999, uniform in the logit.
inline constexpr parts::Init kDecayBias{
    .draw = parts::Init::Draw::Uniform, .spread = 1.5, .value = 5.41};

/// The reading, as a setting of an operation.
[[nodiscard]] inline Setting reversed_in(Reading reading) {
  return {"reversed", reading == Reading::FromLast};
}

/// Returns the rows of x in the order of a reading.
template <class AnyView>
[[nodiscard]] AnyView in_order(Reading reading, AnyView x) {
  return reading == Reading::FromFirst ? x : reversed(x);
}

}  // namespace oa::attention
