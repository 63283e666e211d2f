#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/head_options.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>

namespace oa::attention {
namespace {

struct TttOptions {
  int heads = 1;
  int batch = 16;
  int conv = 4;

  static std::span<const Field<TttOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&TttOptions::heads>(),
        field<&TttOptions::batch>("batch",
                                  "Tokens of a step of gradient descent",
                                  {.range = {.low = 1, .high = 1024}}),
        field<&TttOptions::conv>("conv",
                                 "Tokens that the convolution of a causal layer sees",
                                 {.range = {.low = 1, .high = 64}})};
    return kFields;
  }
};

Value ttt(Formula& f, const TttOptions& o) {
  const Value x = f.tokens();
  const Value q = unit_map("Wq", x, o.heads, o.conv);
  const Value k = unit_map("Wk", x, o.heads, o.conv);
  require_heads(f, o.heads);
  const Value v = linear("Wv", x, f.dim());
  const Value eta = logistic(linear_with_bias("We", x, o.heads));
  const auto learn = [&](Reading reading) {
    return trained_model(
        {.q = q, .k = k, .v = v, .eta = eta, .heads = o.heads, .batch = o.batch},
        reading);
  };
  const Value first = learn(Reading::FromFirst);
  const GatedOutput out(f, o.heads);
  return out(f.causal() ? first : mean(first, learn(Reading::FromLast)));
}

}  // namespace

const Kind kTtt = formula_kind<TttOptions, ttt>({
    .name = "ttt",
    .family = kRecurrentFamily,
    .summary = "a linear model trained while reading, a step for 16 tokens",
    .direction = Direction::Both,
});

}  // namespace oa::attention
