#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/base/number.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/softmax.h"
#include "survey/kernel/pattern/pattern_builder.h"
#include "survey/kinds/kinds.h"

#include <array>
#include <cmath>

namespace oa::attention {
namespace {

struct IdentityOptions {
  int heads = 1;
  bool values = false;
  bool output = false;
  bool temperature = false;
  bool self = true;

  static std::span<const Field<IdentityOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&IdentityOptions::heads>(),
        field<&IdentityOptions::values>("values", "Apply a learned map to the values"),
        field<&IdentityOptions::output>("output",
                                        "Apply a learned map after the heads"),
        field<&IdentityOptions::temperature>("temperature",
                                             "Multiply logits by a learned factor"),
        field<&IdentityOptions::self>("self", "Each token sees itself")};
    return kFields;
  }
};

Pattern pattern_of(const IdentityOptions& options, const Formula& f) {
  if (options.self || !f.works()) {
    return full_pattern(f);
  }
  const int tokens = f.tokens_of_sequence();
  PatternBuilder others(tokens);
  for (int i = 0; i < tokens; ++i) {
    others.see(0, i);
    if (!f.causal()) {
      others.see(i + 1, tokens);
    }
    others.end_query();
  }
  return others.take();
}

Value identity_qk(Formula& f, const IdentityOptions& o) {
  const Value x = f.tokens();
  f.require(x.cols == f.dim(),
            "tokens of " + format(x.cols) + " numbers must have " + format(f.dim()) +
                " numbers, because they are the queries");
  require_heads(f, o.heads);
  const Value v = o.values ? linear("Wv", x, f.dim()) : x;
  f.show({}, v);
  if (o.output) {
    f.place("Wo.weight", {f.dim(), f.dim()}, parts::for_inputs(f.dim()));
  }
  FusedSettings settings;
  if (o.temperature) {
    settings.factor = f.parameter("temperature", {1}, parts::constant(1.0));
  }
  const Value mixed =
      fused_softmax({.q = x,
                     .k = x,
                     .v = v,
                     .heads = o.heads,
                     .groups = o.heads,
                     .scale = 1.0F / std::sqrt(static_cast<float>(f.dim() / o.heads))},
                    {pattern_of(o, f)},
                    settings);
  return o.output ? linear("Wo", mixed, f.dim()) : mixed;
}

}  // namespace

const Kind kIdentityQk = formula_kind<IdentityOptions, identity_qk>({
    .name = "identity-qk",
    .family = kDenseFamily,
    .summary = "softmax of products of tokens, without maps of queries and keys",
    .direction = Direction::Both,
    .permutes = true,
});

}  // namespace oa::attention
