#include "oa/attention/kinds/unit_map.h"

#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/activation.h"
#include "oa/attention/kernel/scan/convolution.h"
#include "oa/attention/kernel/unit_rows.h"
#include "oa/num/activation.h"

namespace oa::attention {

using num::ConstView;
using num::View;

std::string refusal_of_unit_maps(const Site& site, int heads) {
  const auto conv = site.options.find("conv");
  return !site.causal && conv != site.options.end()
             ? "conv=" + conv->second + " has no effect (expected a causal layer)"
             : refusal_of_heads(site.dim, heads, 1);
}

UnitMap::UnitMap(const Site& site,
                 const std::string& name,
                 int heads,
                 int taps,
                 parts::Layout& layout)
    : heads_(heads),
      taps_(taps),
      dim_(site.dim),
      map_(layout, site.prefix + name, site.width, site.dim, parts::Bias::No) {
  if (site.causal) {
    filter_ = layout.declare(
        site.prefix + name + ".conv", {taps, site.dim}, parts::for_inputs(taps));
  }
}

parts::Cost UnitMap::cost(int tokens) const {
  parts::Cost cost = map_.cost(tokens);
  if (causal()) {
    const std::int64_t taps = std::int64_t{2} * taps_ * tokens * dim_;
    cost.forward += taps;
    cost.backward += 2 * taps;
  }
  return cost;
}

UnitTokens UnitMap::tokens(int n, Arena& arena, bool backward) const {
  UnitTokens all{.map = num::zeros(n, dim_, arena),
                 .unit = num::zeros(n, dim_, arena),
                 .lengths = num::zeros(heads_, n, arena),
                 .slope = {},
                 .last = {}};
  if (causal() && backward) {
    all.slope = num::zeros(n, dim_, arena);
  }
  return all;
}

View UnitMap::memory(Arena& arena) const {
  return num::zeros(taps_ - 1, dim_, arena);
}

void UnitMap::forward(const parts::Weights& weights,
                      ConstView x,
                      const UnitTokens& at,
                      View spare) const {
  map_.forward(weights, x, at.map);
  ConstView from = at.map;
  if (causal()) {
    convolve(at.map, weights.values().matrix(filter_), {}, at.last, spare);
    silu(spare, spare, at.slope);
    from = spare;
  }
  make_unit_heads(from, at.unit, at.lengths);
}

void UnitMap::backward(const parts::Weights& weights,
                       ConstView x,
                       const UnitTokens& at,
                       View d,
                       View spare,
                       View dx,
                       parts::Values& gradient) const {
  make_unit_heads_backward(at.unit, at.lengths, d);
  if (!causal()) {
    map_.add_backward(weights, x, d, dx, gradient);
    return;
  }
  num::multiply(at.slope, d);
  convolve_backward(
      at.map, weights.values().matrix(filter_), d, spare, gradient.matrix(filter_), {});
  map_.add_backward(weights, x, spare, dx, gradient);
}

}  // namespace oa::attention
