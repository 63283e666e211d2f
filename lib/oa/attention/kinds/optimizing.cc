// Attention by optimisation, the layer of the paper; keyed.h has the one with keys.
// The coefficients of query i minimise |sum_j x_j u_j - q_i|^2 + lambda/m sum_j x_j
// over [0,1]^m or {0,1}^m with u = value_scale V / m.  As a problem:
//   J = 2 u u',  h_i = -2 u q_i + lambda/m,  o_i = a_i'V, optionally divided by m.
// In a causal layer query i has the problem of the sequence that ends with it, with i +
// 1 values.  Times ((i + 1) / m)^2 it has the same J, and row i of h is scaled by (i +
// 1) / m.  Beside its projections and the solver it costs 2m(m + 2n)d FLOPs, backward
// 2m(m + 4n)d, or 14mnd if J has low rank.  Most of its workspace is m*m and n*m
// floats.
#include "oa/attention/candidates.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/keyed.h"
#include "oa/attention/kinds/keyed_steps.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/query_source.h"
#include "oa/num/box/admm.h"
#include "oa/num/gemm.h"
#include "oa/num/gram.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <span>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// The fifth power keeps 0 and 1; only its slope would differ.
Normalization weights_of(const Site& site) {
  const bool plain = site.coefficients == Coefficients::Binary &&
                     site.normalization != Normalization::None;
  return plain ? Normalization::Sum : site.normalization;
}

/// Scales rows of a causal layer by (i + 1) / m: h, or the gradient before that
/// scaling.
void shrink_rows(const QueryRows& rows, int m, View x) {
  for (int i = rows.first; i < rows.last; ++i) {
    num::scale(row_block(x, i, 1), static_cast<float>(i + 1) / static_cast<float>(m));
  }
}

/// Fills row i after its i + 1 variables.
void fill_later(const QueryRows& rows, float value, View h) {
  for (int i = rows.first; i < rows.last; ++i) {
    std::fill(h.row(i) + i + 1, h.row(i) + h.cols, value);
  }
}

struct OptimizingParts {
  OptimizingOptions options;
  QuerySource query;
  parts::Projection value;

  OptimizingParts(const Site& site, parts::Layout& layout)
      : options(options_of<OptimizingOptions>(site)),
        query(site, layout),
        value(layout, site.prefix + "Wv", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const int keys = site.keys(tokens);
    const auto mmd = parts::product_flops(keys, keys, site.dim);
    const auto nmd = parts::product_flops(site.queries(tokens), keys, site.dim);
    return query.cost(tokens) + value.cost(keys) +
           parts::Cost{
               .forward = mmd + 2 * nmd,
               .backward =
                   num::Gram::is_low_rank(keys, site.dim) ? 7 * nmd : mmd + 4 * nmd,
               .pairs = site.causal ? std::int64_t{1} * tokens * (tokens + 1) / 2
                                    : std::int64_t{1} * site.queries(tokens) * keys};
  }
};

class Optimizing : public Attention {
 public:
  using Parts = OptimizingParts;
  class Decoder;

  Optimizing(const Site& site,
             const Parts& parts,
             int tokens,
             const Resources& resources)
      : n_(site.queries(tokens)),
        m_(site.keys(tokens)),
        causal_(site.causal),
        how_(weights_of(site)),
        scale_(static_cast<float>(site.value_scale / m_)),
        per_coefficient_(site.coefficients == Coefficients::Lasso
                             ? 0.0F
                             : static_cast<float>(site.lambda / m_)),
        parts_(parts),
        query_(parts.query.workspace(tokens, resources.kept)),
        value_(parts.value.workspace(m_, resources.kept)),
        layer_(site, tokens, resources),
        v_(num::zeros(m_, site.dim, resources.kept)),
        transposed_(num::zeros(site.dim, m_, resources.kept)),
        j_(num::zeros(m_, m_, resources.kept)),
        h_(num::zeros(n_, m_, resources.kept)),
        rounded_(CoefficientLayer::rounds(site) ? num::zeros(n_, m_, resources.kept)
                                                : View{}),
        a_(num::zeros(n_, m_, resources.kept)),
        sums_(num::zeros(n_, resources.kept)),
        penalty_(num::zeros(m_, resources.scratch)) {
    if (resources.backward) {
      Arena& scratch = resources.scratch;
      da_ = num::zeros(n_, m_, scratch);
      dh_ = num::zeros(n_, m_, scratch);
      if (gram().low_rank() && !layer_.unrolled()) {
        xv_ = num::zeros(n_, site.dim, scratch);
      } else {
        dj_ = num::zeros(m_, m_, scratch);
      }
      dq_ = num::zeros(n_, site.dim, scratch);
      dv_ = num::zeros(m_, site.dim, scratch);
    }
    problem_.output_scale = site.divide_output ? 1.0F / static_cast<float>(m_) : 1.0F;
    problem_.causal = causal_;
  }

  static std::unique_ptr<Attention> make(const Site& site,
                                         const Parts& parts,
                                         int tokens,
                                         const Resources& resources);

  std::span<const Problem> pose(const parts::Weights& weights,
                                ConstView x,
                                const QueryRows& rows) override {
    parts_.query.forward(weights, x, query_);
    parts_.value.forward(weights, x.top(v_.rows), v_, value_);
    num::transpose(v_, transposed_);
    num::matmul(v_, transposed_, j_, gram().scale);
    std::fill_n(penalty_.data(), m_, per_coefficient_);
    num::matmul(rows_of(ConstView(query_.q), rows),
                transposed_,
                rows_of(h_, rows),
                -2.0F * scale_,
                penalty_);
    if (causal_) {
      shrink_rows(rows, m_, h_);
      fill_later(rows, 0.0F, h_);
    }
    problem_.j = j_;
    problem_.h = h_;
    problem_.v = v_;
    return {&problem_, 1};
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    pose(weights, x, {0, n_});
    if (causal_) {
      fill_later({0, n_}, kExcluded, h_);
    }
    x_ = layer_.forward(gram(), h_, rounded_);
    weigh(how_, x_, sums_, a_, v_, problem_.output_scale, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::matmul(d_o, transposed_, da_, problem_.output_scale);
    num::fill(dv_, 0.0F);
    num::matmul_transposed_add(a_, d_o, dv_, problem_.output_scale);
    normalize_backward(how_, x_, a_, sums_, da_, da_);
    const bool low_rank = xv_.rows > 0;
    if (low_rank) {
      layer_.backward(gram(), h_, da_, dh_);
    } else {
      layer_.backward(gram(), h_, da_, dh_, dj_);
    }
    num::matmul(dh_, v_, dq_, -2.0F * scale_);
    num::matmul_transposed_add(before_shrinking(), query_.q, dv_, -2.0F * scale_);
    if (low_rank) {
      // dj = (dh'x + x'dh)/2 has at most the rank of V: computes 2 dj V by products
      // with V.
      num::matmul_transposed_add(layer_.relaxed(), dq_, dv_, -scale_);
      num::matmul(layer_.relaxed(), v_, xv_);
      num::matmul_transposed_add(dh_, xv_, dv_, gram().scale);
    } else {
      num::matmul_add(dj_, v_, dv_, 2.0F * gram().scale);
    }
    if (causal_) {
      shrink_rows({0, n_}, m_, dq_);
    }
    num::fill(dx, 0.0F);
    parts_.value.backward(weights, x.top(m_), dv_, dx.top(m_), gradient, value_);
    parts_.query.backward(weights, x, dq_, dx, gradient, query_);
  }

  ConstView queries() const override { return query_.q; }
  ConstView values() const override { return v_; }
  const CoefficientLayer* coefficients() const override { return &layer_; }
  float residual() const override { return layer_.residual(j_); }

 private:
  num::Gram gram() const { return {j_, v_, transposed_, 2.0F * scale_ * scale_}; }

  /// The gradient of h before shrink_rows(), in da_ if that was called.
  ConstView before_shrinking() {
    if (!causal_) {
      return dh_;
    }
    num::copy(dh_, da_);
    shrink_rows({0, n_}, m_, da_);
    return da_;
  }

  int n_;
  int m_;
  bool causal_;
  Normalization how_;
  float scale_;
  float per_coefficient_;  // lambda / m; 0 if the solver has the penalty
  Parts parts_;
  QuerySource::Workspace query_;
  parts::Projection::Workspace value_;
  CoefficientLayer layer_;
  Problem problem_;
  View v_;
  View transposed_;  // V'
  View j_;
  View h_;
  View rounded_;  // coefficients, if they are rounded
  ConstView x_;
  View a_;
  std::span<float> sums_;
  std::span<float> penalty_;
  View da_;
  View dh_;
  View dj_;
  View xv_;  // instead of dj_
  View dq_;
  View dv_;
};

/// The layer of the paper token by token.  With m values the problem is scaled by m^2,
/// which makes J independent of m.
class Optimizing::Decoder : public attention::Decoder {
 public:
  Decoder(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        scale_(static_cast<float>(site.value_scale)),
        lambda_(static_cast<float>(site.lambda)),
        query_(parts.query.workspace(1, resources.scratch)),
        value_(parts.value.workspace(1, resources.scratch)),
        v_(num::zeros(1, site.dim, resources.scratch)),
        steps_(site,
               {.width = site.dim, .own = true, .how = weights_of(site)},
               tokens,
               resources) {}

  void step(const parts::Weights& weights, ConstView x, View y) override {
    parts_.query.forward(weights, x, query_);
    parts_.value.forward(weights, x, v_, value_);
    const auto m = static_cast<float>(steps_.before() + 1);
    steps_.mix(0,
               {.alpha = 2.0F * scale_ * scale_,
                .beta = 2.0F * scale_ * m,
                .penalty = lambda_ * m},
               query_.q,
               v_,
               v_,
               y);
    steps_.next();
  }

  void restart() override { steps_.restart(); }

 private:
  Parts parts_;
  float scale_;
  float lambda_;
  QuerySource::Workspace query_;
  parts::Projection::Workspace value_;
  View v_;
  KeyedSteps steps_;
};

/// Forward only, without J, some queries at a time: memory is linear in the tokens.
class ThinOptimizing : public Attention {
 public:
  ThinOptimizing(const Site& site,
                 const OptimizingParts& parts,
                 int tokens,
                 const Resources& resources)
      : parts_(parts),
        // 0: no rounding
        levels_(site.coefficients == Coefficients::Binary ||
                        site.coefficients == Coefficients::Levels
                    ? site.levels
                    : 0),
        how_(weights_of(site)),
        scale_(static_cast<float>(site.value_scale / site.keys(tokens))),
        output_scale_(site.divide_output ? 1.0F / static_cast<float>(site.keys(tokens))
                                         : 1.0F),
        query_(parts.query.workspace(tokens, resources.kept)),
        value_(parts.value.workspace(site.keys(tokens), resources.kept)),
        v_(num::zeros(site.keys(tokens), site.dim, resources.kept)),
        transposed_(num::zeros(site.dim, v_.rows, resources.scratch)),
        rows_(std::min(kRows, site.queries(tokens))),
        h_(num::zeros(rows_, v_.rows, resources.scratch)),
        x_(num::zeros(rows_, v_.rows, resources.scratch)),
        sums_(num::zeros(rows_, resources.scratch)),
        penalty_(num::zeros(v_.rows, resources.scratch)),
        restricted_(parts.options.candidates > 0) {
    if (restricted_) {
      candidates_.emplace(
          std::min(parts.options.candidates, v_.rows), site.dim, resources.scratch);
    } else {
      solver_.emplace(rows_, v_.rows, site.dim, resources.scratch);
    }
    const auto per_coefficient = static_cast<float>(site.lambda / v_.rows);
    settings_.iterations = parts.options.thin;
    if (site.coefficients == Coefficients::Lasso) {
      settings_.constraint = num::Constraint::Absolute;
      settings_.penalty = per_coefficient;
    } else {
      per_coefficient_ = per_coefficient;
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.query.forward(weights, x, query_);
    parts_.value.forward(weights, x.top(v_.rows), v_, value_);
    num::transpose(v_, transposed_);
    std::fill_n(penalty_.data(), v_.rows, per_coefficient_);
    if (!restricted_) {
      solver_->prepare(v_, scale_, settings_);
    }
    // Queries of one step are `steps` apart, so that each row continues with the next
    // query.
    const int steps = (o.rows + rows_ - 1) / rows_;
    for (int step = 0; step < steps; ++step) {
      const int count = (o.rows - step + steps - 1) / steps;
      const ConstView q = query_.q;
      const View found = x_.top(count);
      num::matmul({q.row(step), count, q.cols, q.stride * steps},
                  transposed_,
                  h_.top(count),
                  -2.0F * scale_,
                  penalty_);
      solve(h_.top(count), found, parts_.options.warm && step > 0);
      if (levels_ > 0) {
        round_to_levels(levels_, found);
      }
      normalize(how_, found, sums_, found);
      num::matmul(
          found, v_, {o.row(step), count, o.cols, o.stride * steps}, output_scale_);
    }
  }

  void backward(const parts::Weights& /*weights*/,
                ConstView /*x*/,
                ConstView /*d_o*/,
                View /*dx*/,
                parts::Values& /*gradient*/) override {
    assert(!"declared for training");
  }

  ConstView queries() const override { return query_.q; }
  ConstView values() const override { return v_; }

 private:
  void solve(ConstView h, View found, bool warm) {
    if (!restricted_) {
      solver_->solve(h, found, warm);
      return;
    }
    const auto keys = static_cast<std::size_t>(h.cols);
    for (int i = 0; i < h.rows; ++i) {
      candidates_->solve(
          v_, scale_, settings_.iterations, {h.row(i), keys}, {found.row(i), keys});
    }
  }

  static constexpr int kRows = 48;  // with four rows of tokens in the cache

  OptimizingParts parts_;
  int levels_;
  Normalization how_;
  float scale_;
  float output_scale_;
  float per_coefficient_ = 0.0F;
  num::AdmmSettings settings_;
  QuerySource::Workspace query_;
  parts::Projection::Workspace value_;
  View v_;
  View transposed_;
  int rows_;
  View h_;
  View x_;
  std::span<float> sums_;
  std::span<float> penalty_;
  bool restricted_;
  std::optional<num::LowRankAdmm> solver_;  // over all values
  std::optional<Candidates> candidates_;    // or over the best values of each query
};

std::unique_ptr<Attention> Optimizing::make(const Site& site,
                                            const Parts& parts,
                                            int tokens,
                                            const Resources& resources) {
  // Exact solvers and posed problems need J.
  if (parts.options.thin > 0 && !resources.backward && !site.solver.optima) {
    return std::make_unique<ThinOptimizing>(site, parts, tokens, resources);
  }
  return std::make_unique<Optimizing>(site, parts, tokens, resources);
}

std::unique_ptr<const Layer> declare_optimizing(const Site& site,
                                                parts::Layout& layout) {
  const bool paper = options_of<OptimizingOptions>(site).keys == OptimizingKeys::Paper;
  return paper ? declare<Optimizing>(site, layout) : declare<Keyed>(site, layout);
}

constexpr std::array kOptimizingSettings{KindSetting{"coefficients"},
                                         KindSetting{"levels"},
                                         KindSetting{"normalization"},
                                         KindSetting{"lambda", "keys=paper"},
                                         KindSetting{"value_scale", "keys=paper"},
                                         KindSetting{"divide_output", "keys=paper"},
                                         KindSetting{"gradient"},
                                         KindSetting{"exact"},
                                         KindSetting{"max_nodes"},
                                         KindSetting{"curriculum", "keys=own"},
                                         KindSetting{"curriculum", "keys=shared"},
                                         KindSetting{"curriculum", "keys=separate"},
                                         KindSetting{"temperature", "keys=paper"},
                                         KindSetting{"tolerance"},
                                         KindSetting{"admm_iterations"}};

}  // namespace

const Kind kOptimizing{
    .name = "optimizing",
    .family = "optimizing",
    .summary = "coefficients minimise a QUBO or its relaxation",
    .direction = Direction::Both,
    .has_problem = true,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
    .options = options_from<OptimizingOptions>(&optimizing_option_applies),
    .settings = kOptimizingSettings,
    .refusal = &refusal_of_optimizing,
    .declare = &declare_optimizing,
};

}  // namespace oa::attention
