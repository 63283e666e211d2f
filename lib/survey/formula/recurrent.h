#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/formula/pointwise.h"
#include "survey/formula/reading.h"

#include <string>

namespace oa::attention {

// What recurrent kinds share: convolutions of the last tokens, norms, readings from
// both ends.

/// A depthwise causal convolution over `taps` tokens in the order of a reading, with
/// the filter `name` (taps, columns of x) and, if it is named, a bias.
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

/// read(order) for the order from the first token, or in layers that are not causal the
/// mean of both orders.
template <class Read>
[[nodiscard]] Value each_reading(const Formula& f, Read read) {
  const Value first = read(Reading::FromFirst);
  return f.causal() ? first : mean(first, read(Reading::FromLast));
}

}  // namespace oa::attention
