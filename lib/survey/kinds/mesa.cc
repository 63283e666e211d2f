#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/head_options.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>
#include <optional>

namespace oa::attention {
namespace {

struct MesaOptions {
  int heads = 1;
  int steps = 30;
  int conv = 4;

  static std::span<const Field<MesaOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&MesaOptions::heads>(),
        field<&MesaOptions::steps>("steps",
                                   "The most steps of conjugate gradients",
                                   {.range = {.low = 1, .high = 1000}}),
        field<&MesaOptions::conv>("conv",
                                  "Tokens that the convolution of a causal layer sees",
                                  {.range = {.low = 1, .high = 64}})};
    return kFields;
  }
};

constexpr float kMinRidge = 0.25F;
/// Initial parameter: softplus(kRidge) + kMinRidge is a ridge of 1.
constexpr double kRidge = 0.1109;

Value mesa(Formula& f, const MesaOptions& o) {
  const Value x = f.tokens();
  const Value q = unit_map("Wq", x, o.heads, o.conv);
  const Value k = unit_map("Wk", x, o.heads, o.conv);
  require_heads(f, o.heads);
  const Value v = linear("Wv", x, f.dim());
  const Value b = logistic(linear("Wb", x, o.heads));
  const Value ridge =
      softplus(f.parameter("ridge", {f.dim()}, parts::constant(kRidge)), kMinRidge);
  const GatedOutput out(f, o.heads);
  std::optional<Value> gate;
  if (f.causal()) {
    gate = linear_with_bias("Wa", x, o.heads, kDecayBias);
  }
  return out(ridge_regression({.q = q,
                               .k = k,
                               .v = v,
                               .b = b,
                               .ridge = ridge,
                               .gate = gate,
                               .heads = o.heads,
                               .steps = o.steps}));
}

}  // namespace

const Kind kMesa = formula_kind<MesaOptions, mesa>({
    .name = "mesa",
    .family = kRecurrentFamily,
    .summary = "ridge regression from keys to values, solved for each query",
    .direction = Direction::Both,
    .permutes = true,
});

}  // namespace oa::attention
