#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/parts/layers.h"

#include <string>

namespace oa::attention {

// Linear maps of single tokens.

/// Returns x W' with the tensor `name`.weight (width, columns of x).
[[nodiscard]] Value linear(const std::string& name, Value x, int width);
/// Returns x W' + b with a tensor `name`.bias, initialised as usual or as given.
[[nodiscard]] Value linear_with_bias(const std::string& name, Value x, int width);
[[nodiscard]] Value linear_with_bias(const std::string& name,
                                     Value x,
                                     int width,
                                     const parts::Init& bias);

}  // namespace oa::attention
