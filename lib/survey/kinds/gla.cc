#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/head_options.h"
#include "oa/base/number.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>

namespace oa::attention {
namespace {

struct GlaOptions {
  int heads = 1;
  int rank = 16;

  static std::span<const Field<GlaOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&GlaOptions::heads>(),
        field<&GlaOptions::rank>("rank",
                                 "Rank of the map that computes decays",
                                 {.range = {.low = 1, .high = 1 << 16}})};
    return kFields;
  }
};

Value gla(Formula& f, const GlaOptions& o) {
  f.require(f.dim() % (2 * o.heads) == 0,
            "heads=" + format(o.heads) + " do not divide keys of half a width of " +
                format(f.dim()));
  const Value x = f.tokens();
  const int keys = f.dim() / 2;
  const Value q = linear("Wq", x, keys);
  const Value k = linear("Wk", x, keys);
  const Value v = linear("Wv", x, f.dim());
  const Value gate = silu(linear("Wg", x, f.dim()));
  // The root makes initial decays slow: a long memory.
  const Value decay = log_sigmoid(
      linear_with_bias("Wa.1", linear("Wa.0", x, o.rank), keys), 1.0F / 16.0F);
  const Value y = each_reading(f, [&](Reading reading) {
    return rms_norm(
        "head_norm.weight",
        gated_scan({.q = q, .k = k, .v = v, .log_decay = decay, .heads = o.heads},
                   reading),
        o.heads);
  });
  return linear("Wo", y * gate, f.dim());
}

}  // namespace

const Kind kGla = formula_kind<GlaOptions, gla>({
    .name = "gla",
    .family = kRecurrentFamily,
    .summary = "gated linear attention: a memory with decays that depend on the token",
    .direction = Direction::Both,
});

}  // namespace oa::attention
