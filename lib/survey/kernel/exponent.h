#pragma once

#include <span>

namespace oa::attention {

/// Computes y = 2^x elementwise, for x <= 127,
/// exactly as the fused kernels on this processor do (exponent-inl.h).
void powers_of_two(std::span<const float> x, std::span<float> y);

}  // namespace oa::attention
