#pragma once

#include <span>

namespace oa::attention {

/// y = 2^x for x <= 127, number by number, as the fused kernels compute it on this
/// processor: see exponent-inl.h.  The polynomial of its fraction has the degree 5, as
/// for floats, or 3, as for bfloat16.
void powers_of_two(std::span<const float> x, int degree, std::span<float> y);

}  // namespace oa::attention
