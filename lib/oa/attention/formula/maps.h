#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/reading.h"
#include "oa/parts/layers.h"

#include <string>

namespace oa::attention {

// Maps of single tokens, and convolutions over the last tokens.

/// x W' with the tensor `name`.weight (width, columns of x)
[[nodiscard]] Value linear(const std::string& name, Value x, int width);
/// x W' + b: also `name`.bias, initialised as usual, or as given
[[nodiscard]] Value linear_with_bias(const std::string& name, Value x, int width);
[[nodiscard]] Value linear_with_bias(const std::string& name,
                                     Value x,
                                     int width,
                                     const parts::Init& bias);

/// A depthwise causal convolution over `taps` tokens in a reading's order, with the
/// filter `name` (taps, columns of x) and, if it has a name, a bias.
[[nodiscard]] Value convolution(const std::string& name,
                                Value x,
                                int taps,
                                Reading reading,
                                const std::string& bias = "");

/// Each head divided by its root mean square, times the tensor `name`.
[[nodiscard]] Value rms_norm(const std::string& name, Value x, int heads);

/// Each head divided by its length.
[[nodiscard]] Value unit_heads(Value x, int heads);

/// E x with the first columns of E, as many as x has rows
[[nodiscard]] Value mixtures_of(Value e, Value x);

/// Queries or keys of unit length from tokens: the map `name`, in causal layers a
/// convolution over `taps` tokens and SiLU, and then each head divided by its length.
/// Refuses the option `conv` in other layers.
[[nodiscard]] Value unit_map(const std::string& name, Value x, int heads, int taps);

/// Refuses heads that do not divide a width.
void require_heads(const Formula& f, int heads);

/// The output of recurrent kinds, Wo (RMSNorm of each head of y o SiLU(Wg x)).  The
/// gate and its tensors come first.
class GatedOutput {
 public:
  GatedOutput(Formula& f, int heads);
  [[nodiscard]] Value operator()(Value y) const;

 private:
  int heads_;
  Value gate_;
};

}  // namespace oa::attention
