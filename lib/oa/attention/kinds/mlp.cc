#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/kinds.h"

#include <array>

namespace oa::attention {
namespace {

struct MlpOptions {
  int hidden = 0;

  static std::span<const Field<MlpOptions>> fields() {
    static constexpr std::array kFields{field<&MlpOptions::hidden>(
        "hidden",
        "Hidden units, as a multiple of the width (0: one map and ReLU)",
        {.range = {.low = 0, .high = 64}})};
    return kFields;
  }
};

Value token_mlp(Formula& f, const MlpOptions& o) {
  if (o.hidden == 0) {
    return relu(linear_with_bias("mlp.0", f.tokens(), f.dim()));
  }
  const Value hidden = linear_with_bias("mlp.0", f.tokens(), o.hidden * f.dim());
  return linear_with_bias("mlp.2", gelu(hidden), f.dim());
}

}  // namespace

const Kind kMlp = formula_kind<MlpOptions, token_mlp>({
    .name = "mlp",
    .family = kKeylessFamily,
    .summary = "no attention: a network applied to each token",
    .direction = Direction::Both,
    .positions = false,
    .permutes = true,
    .head = "softmax",
});

}  // namespace oa::attention
