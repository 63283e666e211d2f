#pragma once

#include "oa/attention/formula/formula.h"

namespace oa::attention {

// Functions of single numbers, and sums and products of two values, elementwise.

[[nodiscard]] Value silu(Value x);
[[nodiscard]] Value sigmoid(Value x);
[[nodiscard]] Value relu(Value x);
[[nodiscard]] Value gelu(Value x);
/// Returns log(1 + exp x) + shift.
[[nodiscard]] Value softplus(Value x, float shift = 0.0F);
/// Returns factor log(1 / (1 + exp -x)).
[[nodiscard]] Value log_sigmoid(Value x, float factor = 1.0F);
[[nodiscard]] Value minus_exp(Value x);
/// Returns 1 / (1 + exp -x), computed as in kernels; its gradient needs no memory.
[[nodiscard]] Value logistic(Value x);

/// Returns the elementwise product.
[[nodiscard]] Value operator*(Value a, Value b);
[[nodiscard]] Value operator+(Value a, Value b);
[[nodiscard]] Value operator*(float factor, Value x);
/// Returns (a + b) / 2.
[[nodiscard]] Value mean(Value a, Value b);

}  // namespace oa::attention
