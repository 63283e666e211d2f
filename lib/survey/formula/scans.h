#pragma once

#include "oa/attention/formula/formula.h"
#include "survey/formula/reading.h"

#include <optional>

namespace oa::attention {

// Operations with a state that passes from token to token.
// The headers of their kernels give the formulas.
// A decoder keeps the state, so earlier tokens are not needed.

/// Inputs of kernel/scan/gated_scan.h; logits are divided by sqrt(width of a key).
struct GatedScanInput {
  Value q;
  Value k;
  Value v;
  Value log_decay;
  int heads = 1;
};
[[nodiscard]] Value gated_scan(const GatedScanInput& in, Reading reading);

/// Inputs of kernel/delta/delta_scan.h.
struct DeltaScanInput {
  Value q;
  Value k;
  Value v;
  Value step;
  std::optional<Value> log_decay;
  int heads = 1;
};
[[nodiscard]] Value delta_scan(const DeltaScanInput& in, Reading reading);

/// Inputs of kernel/scan/selective_scan.h, with the tensor `skip` (columns of x).
struct SelectiveScanInput {
  Value x;
  Value dt;
  Value b;
  Value c;
  Value a;
};
[[nodiscard]] Value selective_scan(const SelectiveScanInput& in, Reading reading);

/// The parameters of diagonal state-space models.  Each head of `width` columns has one
/// model for its width^2 channels: tensors log_decay, frequency, C.re,
/// C.im (pairs,heads) and skip.  Models start as S4D-Lin (Gu et al., arXiv:2206.11893):
/// decays of 1/2, and frequencies that are multiples of pi.
/// Time steps are fixed, from 1e-3 to 1e-1 over the heads, uniform in the logarithm.
[[nodiscard]] Value diagonal_models(Formula& f, int pairs, int width);
/// Applies kernel/scan/diagonal_scan.h to the products k v' of each head.
[[nodiscard]] Value diagonal_scan(
    Value k, Value v, Value models, int width, Reading reading);
/// Returns y = p'q for the matrix p of each head.
[[nodiscard]] Value read_heads(Value p, Value q, int width);

/// Inputs of kernel/regression/mesa.h.
/// Without `gate` (logits of decays), every token sees all tokens.
struct RidgeRegressionInput {
  Value q;
  Value k;
  Value v;
  Value b;
  Value ridge;
  std::optional<Value> gate;
  int heads = 1;
  int steps = 1;
};
[[nodiscard]] Value ridge_regression(const RidgeRegressionInput& in);

/// Inputs of kernel/regression/ttt.h.
/// Tensors: inner_norm.weight, inner_norm.bias and start.
struct TrainedModelInput {
  Value q;
  Value k;
  Value v;
  Value eta;
  int heads = 1;
  int batch = 1;
};
[[nodiscard]] Value trained_model(const TrainedModelInput& in, Reading reading);

}  // namespace oa::attention
