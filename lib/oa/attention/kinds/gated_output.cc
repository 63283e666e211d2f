#include "oa/attention/kinds/gated_output.h"

#include "oa/attention/kernel/activation.h"
#include "oa/attention/kernel/rms_norm.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"

namespace oa::attention {

using num::ConstView;
using num::View;

GatedOutput::GatedOutput(const Site& site, int heads, parts::Layout& layout)
    : heads_(heads),
      dim_(site.dim),
      gate_(layout, site.prefix + "Wg", site.width, site.dim, parts::Bias::No),
      gain_(layout.declare(
          site.prefix + "head_norm.weight", {site.dim}, parts::constant(1.0))),
      out_(layout, site.prefix + "Wo", site.dim, site.dim, parts::Bias::No) {}

parts::Cost GatedOutput::cost(int tokens) const {
  return gate_.cost(tokens) + out_.cost(tokens);
}

GatedOutput::Workspace GatedOutput::workspace(int tokens,
                                              Arena& kept,
                                              Arena& scratch,
                                              bool backward) const {
  Workspace all{.gate = num::zeros(tokens, dim_, kept),
                .rstd = num::zeros(tokens, heads_, kept),
                .unit = num::zeros(tokens, dim_, kept),
                .mixed = num::zeros(tokens, dim_, kept),
                .slope = {},
                .d_gate = {}};
  if (backward) {
    all.slope = num::zeros(tokens, dim_, kept);
    all.d_gate = num::zeros(tokens, dim_, scratch);
  }
  return all;
}

void GatedOutput::forward(const parts::Weights& weights,
                          ConstView x,
                          ConstView y,
                          const Workspace& at,
                          View o) const {
  gate_.forward(weights, x, at.gate);
  silu(at.gate, at.gate, at.slope);
  rms_norm(y, heads_, weights.values().vector(gain_), at.rstd, at.unit);
  num::copy(at.unit, at.mixed);
  num::multiply(at.gate, at.mixed);
  out_.forward(weights, at.mixed, o);
}

void GatedOutput::backward(const parts::Weights& weights,
                           ConstView x,
                           ConstView y,
                           ConstView d_o,
                           const Workspace& at,
                           View dy,
                           View dx,
                           parts::Values& gradient) const {
  out_.backward(weights, at.mixed, d_o, at.d_gate, gradient);
  num::copy(at.d_gate, dy);
  num::multiply(at.gate, dy);
  num::multiply(at.unit, at.d_gate);
  num::multiply(at.slope, at.d_gate);
  gate_.backward(weights, x, at.d_gate, dx, gradient);
  rms_norm_backward(y,
                    heads_,
                    weights.values().vector(gain_),
                    at.rstd,
                    dy,
                    dy,
                    gradient.vector(gain_));
}

}  // namespace oa::attention
