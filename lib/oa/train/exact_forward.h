#pragma once

#include "oa/attention/coefficients.h"

namespace oa::train {

/// The optima of the QUBOs, proved, for a model's way forward.
[[nodiscard]] attention::BinarySolver exact_optima();

}  // namespace oa::train
