#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/base/number.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>

namespace oa::attention {
namespace {

struct H3Options {
  int shift = 4;
  int states = 16;
  int head_dim = 1;

  static std::span<const Field<H3Options>> fields() {
    static constexpr std::array kFields{
        field<&H3Options::shift>("shift",
                                 "Tokens that the convolution of keys sees",
                                 {.range = {.low = 1, .high = 64}}),
        field<&H3Options::states>("states",
                                  "States of a channel, in conjugate pairs",
                                  {.range = {.low = 2, .high = 1024}}),
        field<&H3Options::head_dim>(
            "head_dim", "Columns of a head", {.range = {.low = 1, .high = 256}})};
    return kFields;
  }
};

Value h3(Formula& f, const H3Options& o) {
  f.require(f.dim() % o.head_dim == 0,
            "head_dim=" + format(o.head_dim) + " does not divide a width of " +
                format(f.dim()));
  f.require(o.states % 2 == 0,
            "states=" + format(o.states) + " is odd (expected pairs)");
  const Value x = f.tokens();
  const Value q = linear("Wq", x, f.dim());
  const Value k = linear("Wk", x, f.dim());
  const Value v = linear("Wv", x, f.dim());
  f.show(q, v);
  f.place("shift.weight", {o.shift, f.dim()}, parts::for_inputs(o.shift));
  const Value models = diagonal_models(f, o.states / 2, o.head_dim);
  const Value s = each_reading(f, [&](Reading reading) {
    const Value shifted = convolution("shift.weight", k, o.shift, reading);
    return diagonal_scan(shifted, v, models, o.head_dim, reading);
  });
  return linear("Wo", read_heads(s, q, o.head_dim), f.dim());
}

}  // namespace

const Kind kH3 = formula_kind<H3Options, h3>({
    .name = "h3",
    .family = kRecurrentFamily,
    .summary = "state-space memory of products of keys and values",
    .direction = Direction::Both,
});

}  // namespace oa::attention
