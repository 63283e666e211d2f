#pragma once

#include <span>

namespace oa::attention {

/// y = 2^x for x <= 127, elementwise, as computed by the fused kernels on this
/// processor; see exponent-inl.h.  The degree of the polynomial is 5, as for floats, or
/// 3, as for bfloat16.
void powers_of_two(std::span<const float> x, int degree, std::span<float> y);

}  // namespace oa::attention
