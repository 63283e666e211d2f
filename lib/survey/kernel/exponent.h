#pragma once

#include <span>

namespace oa::attention {

/// y = 2^x for x <= 127, elementwise, as computed by the fused kernels on this
/// processor; see exponent-inl.h.
void powers_of_two(std::span<const float> x, std::span<float> y);

}  // namespace oa::attention
