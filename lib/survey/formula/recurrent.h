#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/formula/pointwise.h"
#include "survey/formula/reading.h"

#include <string>

namespace oa::attention {

// Parts of all recurrent kinds:
// convolutions of the last tokens, norms, and readings from both ends.

/// A depthwise causal convolution over `taps` tokens in the order of a reading.
/// The filter is `name` (taps, columns of x); a bias is optional.
[[nodiscard]] Value convolution(const std::string& name,
                                Value x,
                                int taps,
                                Reading reading,
                                const std::string& bias = "");

/// Divides each head by its root mean square, and multiplies it by the tensor `name`.
[[nodiscard]] Value rms_norm(const std::string& name, Value x, int heads);

/// Divides each head by its length.
[[nodiscard]] Value unit_heads(Value x, int heads);

/// Returns E x, with as many of the first columns of E as x has rows.
[[nodiscard]] Value mixtures_of(Value e, Value x);

/// Makes queries or keys of unit length from tokens:
/// the map `name`, if causal a convolution over `taps` tokens and SiLU,
/// and then each head divided by its length.  Refuses the option `conv` if not causal.
[[nodiscard]] Value unit_map(const std::string& name, Value x, int heads, int taps);

/// Refuses heads that do not divide a width.
void require_heads(const Formula& f, int heads);

/// The output of recurrent kinds, Wo (RMSNorm of each head of y * SiLU(Wg x)).
/// The gate and its tensors come first.
class GatedOutput {
 public:
  GatedOutput(Formula& f, int heads);
  [[nodiscard]] Value operator()(Value y) const;

 private:
  int heads_;
  Value gate_;
};

/// Returns read(order) for the order from the first token;
/// if not causal, the mean of read() for both orders.
template <class Read>
[[nodiscard]] Value each_reading(const Formula& f, Read read) {
  const Value first = read(Reading::FromFirst);
  return f.causal() ? first : mean(first, read(Reading::FromLast));
}

}  // namespace oa::attention
