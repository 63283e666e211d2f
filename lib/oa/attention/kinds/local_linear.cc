// Local linear attention (arXiv:2605.29157): softmax takes the mean of the values
// around a query; this takes the value at the query of a line through them, to first
// order,
//
//     o1 = sum_j p_j v_j    s = sum_j p_j t_j    o2 = sum_j p_j t_j v_j
//     o = (1 + s) o1 - o2    with p = softmax(q'k_j / sqrt(d)), t_j = r'k_j / sqrt(d)
//
// and r a second query.  It is flash2 with two products of queries and keys and two of
// weights and values: for z pairs 8zD FLOPs and Hz exponentials, backward 16zD FLOPs.
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/fused/tilted.h"
#include "oa/attention/kinds.h"
#include "oa/attention/masked.h"
#include "oa/attention/query_source.h"
#include "oa/base/index.h"

#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct LocalLinearOptions {
  HeadOptions maps;

  static std::span<const Field<LocalLinearOptions>> fields() {
    static constexpr auto kFields = head_fields<&LocalLinearOptions::maps>();
    return kFields;
  }
};

struct LocalLinearParts {
  LocalLinearOptions options;
  HeadMaps maps;
  QuerySource second;

  LocalLinearParts(const Site& site, parts::Layout& layout)
      : options(options_of<LocalLinearOptions>(site)),
        maps(site, options.maps, layout),
        second(
            site,
            layout,
            options.maps.plain ? parts::MapStyle::Plain : parts::MapStyle::Normalized,
            {.map = "Wr", .learned = "second_queries"}) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    parts::Cost pairs = masked_cost(maps, full_pattern(site, tokens), site.dim);
    pairs.forward = 8 * pairs.pairs * site.dim;
    pairs.backward = 16 * pairs.pairs * site.dim;
    return maps.cost(tokens) + second.cost(tokens) + pairs;
  }

  [[nodiscard]] HeadsShape shape(int queries, int keys) const {
    return {.queries = queries,
            .keys = keys,
            .heads = maps.heads(),
            .groups = maps.groups(),
            .width = maps.head_dim()};
  }
};

/// p_j (1 + s - t_j) in the place of p, the weights of one query.
void tilt_weights(std::span<const float> r,
                  ConstView keys,
                  float scale,
                  std::span<float> p) {
  std::vector<double> tilt;
  double shift = 0.0;
  for (int j = 0; j < keys.rows; ++j) {
    tilt.push_back(double{scale} *
                   std::inner_product(r.begin(), r.end(), keys.row(j), 0.0));
    shift += double{p[at(j)]} * tilt.back();
  }
  for (std::size_t j = 0; j < tilt.size(); ++j) {
    p[j] = static_cast<float>(double{p[j]} * (1.0 + shift - tilt[j]));
  }
}

FusedScratch tilted_scratch(const HeadsShape& shape, int threads, Arena& arena) {
  return {shape, plan_fused(shape), threads, arena, Precision::Float, true};
}

class LocalLinear : public Attention {
 public:
  using Parts = LocalLinearParts;

  LocalLinear(const Site& site,
              const Parts& parts,
              int tokens,
              const Resources& resources)
      : parts_(parts),
        pattern_(full_pattern(site, tokens)),
        at_(parts_.maps.workspace(tokens, resources)),
        second_(parts_.second.workspace(tokens, resources.kept)),
        scratch_(tilted_scratch(parts_.shape(at_.q.rows, at_.k.rows),
                                resources.threads,
                                resources.scratch)) {
    if (resources.backward) {
      const int queries = at_.q.rows;
      mean_ = num::zeros(queries, site.dim, resources.kept);
      shift_ = num::zeros(parts_.maps.heads(), queries, resources.kept);
      log_sums_ = num::zeros(parts_.maps.heads(), queries, resources.kept);
      dr_ = num::zeros(queries, site.dim, resources.scratch);
      gradient_.emplace(parts_.shape(queries, at_.k.rows),
                        resources.threads,
                        resources.scratch,
                        true);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    parts_.second.forward(weights, x, second_);
    tilted_forward(
        heads_of(parts_.maps, at_), tilt(), pattern_, at_.mixed, log_sums_, scratch_);
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    tilted_backward(heads_of(parts_.maps, at_),
                    tilt(),
                    pattern_,
                    at_.mixed,
                    log_sums_,
                    dmixed,
                    {.q = at_.dq, .k = at_.dk, .v = at_.dv},
                    dr_,
                    *gradient_);
    parts_.maps.backward(weights, x, dx, gradient, at_);
    parts_.second.backward(weights, x, dr_, dx, gradient, second_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }
  std::vector<Count> counts() const override { return counts_of(scratch_, pattern_); }
  std::vector<num::Matrix> value_weights() const override {
    const HeadsView heads = heads_of(parts_.maps, at_);
    std::vector<num::Matrix> all = softmax_weights(heads, pattern_);
    const int width = heads.width();
    for (int h = 0; h < heads.heads; ++h) {
      const View r = columns(second_.q, h * width, width);
      const ConstView keys = columns(heads.k, h * width, width);
      num::Matrix& weights = all[at(h)];
      for (int i = 0; i < r.rows; ++i) {
        tilt_weights(first_of_row(r, i, width),
                     keys,
                     heads.scale,
                     first_of_row(weights, i, weights.cols()));
      }
    }
    return all;
  }

  /// Keeps all keys and values.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : parts_(parts),
          cache_(parts_.maps, tokens, resources),
          second_(parts_.second.workspace(1, resources.scratch)),
          scratch_(tilted_scratch(
              parts_.shape(1, tokens), resources.threads, resources.scratch)) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      cache_.append(parts_.maps, weights, x);
      parts_.second.forward(weights, x, second_);
      tilted_forward(cache_.heads(parts_.maps),
                     {.r = second_.q, .mean = {}, .shift = {}},
                     Pattern::all(1, cache_.tokens()),
                     cache_.token().mixed,
                     {},
                     scratch_);
      parts_.maps.finish(weights, y, cache_.token());
    }
    void restart() override { cache_.clear(); }

   private:
    Parts parts_;
    HeadsCache cache_;
    QuerySource::Workspace second_;
    FusedScratch scratch_;
  };

 private:
  [[nodiscard]] Tilt tilt() const { return {second_.q, mean_, shift_}; }

  Parts parts_;
  Pattern pattern_;
  HeadMaps::Workspace at_;
  QuerySource::Workspace second_;
  FusedScratch scratch_;
  View mean_;   // o1
  View shift_;  // s
  View log_sums_;
  View dr_;
  std::optional<GradientScratch> gradient_;
};

}  // namespace

const Kind kLocalLinear{
    .name = "local-linear",
    .family = kDenseFamily,
    .summary = "softmax with a first-order correction: a line through the values",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<LocalLinearOptions>(),
    .refusal = &refusal_of_heads_at<LocalLinearOptions>,
    .declare = &declare<LocalLinear>,
};

}  // namespace oa::attention
