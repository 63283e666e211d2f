// Linformer (arXiv:2006.04768): softmax over k mixtures of the keys, o = softmax(Q (E
// K)'/sqrt(d)) (F V).  E and F (k, most tokens) are learned; a shorter sequence uses
// their first columns.  Every mixture contains later tokens, so there is no causal
// form.  Beside its maps it costs 4nkD FLOPs for mixing, 4nkD for attention and Hnk
// exponentials; backward 2 and 2.5 times as many FLOPs.
#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct LinformerOptions {
  HeadOptions maps;
  int mixtures = 0;
  bool shared = true;

  static std::span<const Field<LinformerOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&LinformerOptions::maps>(),
        std::array{
            field<&LinformerOptions::mixtures>(
                "k",
                "Number of mixtures of keys (0: a fourth of the tokens, at most 64)",
                {.range = {.low = 0, .high = 1 << 16}}),
            field<&LinformerOptions::shared>(
                "shared", "Mix values with the same weights as keys")});
    return kFields;
  }
};

struct LinformerParts {
  HeadMaps maps;
  int mixtures;
  int keys_mix;    // tensor E
  int values_mix;  // tensor F; E, if shared

  LinformerParts(const Site& site, parts::Layout& layout)
      : LinformerParts(site, options_of<LinformerOptions>(site), layout) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{site.queries(tokens)};
    const auto mixing = 2 * parts::product_flops(mixtures, site.keys(tokens), site.dim);
    parts::Cost cost = maps.cost(tokens);
    cost.pairs = n * mixtures;
    cost.forward += mixing + 4 * cost.pairs * site.dim;
    cost.backward += 2 * mixing + 10 * cost.pairs * site.dim;
    cost.exponentials = maps.heads() * cost.pairs;
    cost.traffic = 4 * (2 * n * site.dim + 4 * site.keys(tokens) * site.dim);
    return cost;
  }

 private:
  LinformerParts(const Site& site,
                 const LinformerOptions& options,
                 parts::Layout& layout)
      : maps(site, options.maps, layout),
        mixtures(options.mixtures > 0 ? options.mixtures
                                      : std::clamp(site.tokens / 4, 1, 64)),
        keys_mix(declare_mix(site, "E", layout)),
        values_mix(options.shared ? keys_mix : declare_mix(site, "F", layout)) {}

  int declare_mix(const Site& site, const char* name, parts::Layout& layout) const {
    return layout.declare(site.prefix + name,
                          {mixtures, site.tokens},
                          parts::gaussian(1.0 / std::sqrt(mixtures)));
  }
};

class Linformer : public Attention {
 public:
  using Parts = LinformerParts;

  Linformer(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
      : parts_(parts),
        at_(parts.maps.workspace(tokens, resources)),
        keys_(num::zeros(parts.mixtures, site.dim, resources.kept)),
        values_(num::zeros(parts.mixtures, site.dim, resources.kept)),
        core_(HeadsShape::of(heads()),
              Pattern::all(site.queries(tokens), parts.mixtures),
              resources) {
    if (resources.backward) {
      Arena& scratch = resources.scratch;
      dkeys_ = num::zeros(parts.mixtures, site.dim, scratch);
      dvalues_ = num::zeros(parts.mixtures, site.dim, scratch);
      transposed_ = num::zeros(site.dim, at_.k.rows, scratch);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    num::matmul(mix(weights, parts_.keys_mix), at_.k, keys_);
    num::matmul(mix(weights, parts_.values_mix), at_.v, values_);
    core_.forward(heads(), at_.mixed);
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    core_.backward(
        heads(), at_.mixed, dmixed, {.q = at_.dq, .k = dkeys_, .v = dvalues_});
    unmix(weights, parts_.keys_mix, at_.k, dkeys_, at_.dk, gradient);
    unmix(weights, parts_.values_mix, at_.v, dvalues_, at_.dv, gradient);
    parts_.maps.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }
  std::vector<Count> counts() const override { return core_.counts(); }

 private:
  HeadsView heads() const {
    HeadsView all = heads_of(parts_.maps, at_);
    all.k = keys_;
    all.v = values_;
    return all;
  }

  /// The columns of a mix for the tokens of this sequence.
  ConstView mix(const parts::Weights& weights, int tensor) const {
    ConstView all = weights.values().matrix(tensor);
    all.cols = at_.k.rows;
    return all;
  }

  void unmix(const parts::Weights& weights,
             int tensor,
             ConstView rows,
             ConstView dmixtures,
             View drows,
             parts::Values& gradient) const {
    num::fill(drows, 0.0F);
    num::matmul_transposed_add(mix(weights, tensor), dmixtures, drows);
    View d_mix = gradient.matrix(tensor);
    d_mix.cols = rows.rows;
    num::transpose(rows, transposed_);
    num::matmul_add(dmixtures, transposed_, d_mix);
  }

  Parts parts_;
  HeadMaps::Workspace at_;
  View keys_;
  View values_;
  ExactCore core_;
  View dkeys_;
  View dvalues_;
  View transposed_;  // K' or V'
};

}  // namespace

const Kind kLinformer{
    .name = "linformer",
    .family = kLowRankFamily,
    .summary = "softmax over learned mixtures of the keys",
    .takes_queries = true,
    .narrow_keys = true,
    .options = options_from<LinformerOptions>(),
    .refusal = &refusal_of_heads_at<LinformerOptions>,
    .declare = &declare<Linformer>,
};

}  // namespace oa::attention
