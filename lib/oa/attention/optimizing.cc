// Attention by optimisation: query i's coefficients minimise |sum_j x_j v'_j - q_i|^2 +
// lambda/m sum_j x_j over [0,1]^m or {0,1}^m, v' = value_scale V / m; as a problem,
//   J = 2 v'v'',  h_i = -2 v'q_i + lambda/m,  o_i = a_i'V (divided by m if asked for).
// Beside its projections and the solver it costs 2m(m + 2n)d FLOPs, backward 2m(m +
// 4n)d, and a workspace of which the most grows with m*m and n*m.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/query_source.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct OptimizingParts {
  QuerySource query;
  parts::Projection value;

  OptimizingParts(const Site& site, parts::Layout& layout)
      : query(site, layout),
        value(layout, site.prefix + "Wv", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto mmd = parts::product_flops(tokens, tokens, site.dim);
    const auto nmd = parts::product_flops(site.queries(tokens), tokens, site.dim);
    return query.cost(tokens) + value.cost(tokens) +
           parts::Cost{.forward = mmd + 2 * nmd,
                       .backward = mmd + 4 * nmd,
                       .pairs = std::int64_t{1} * site.queries(tokens) * tokens};
  }
};

class Optimizing : public Attention {
 public:
  using Parts = OptimizingParts;

  Optimizing(const Site& site,
             const Parts& parts,
             int tokens,
             const Resources& resources)
      : n_(site.queries(tokens)),
        m_(tokens),
        // The fifth power leaves 0 and 1 alone; only its slope would differ.
        how_(site.coefficients == Coefficients::Binary ? Normalization::Sum
                                                       : site.normalization),
        scale_(static_cast<float>(site.value_scale / m_)),
        per_coefficient_(site.coefficients == Coefficients::Lasso
                             ? 0.0F
                             : static_cast<float>(site.lambda / m_)),
        parts_(parts),
        query_(parts.query.workspace(m_, resources.kept)),
        value_(parts.value.workspace(m_, resources.kept)),
        layer_(site, m_, resources),
        v_(num::zeros(m_, site.dim, resources.kept)),
        turned_(num::zeros(site.dim, m_, resources.kept)),
        j_(num::zeros(m_, m_, resources.kept)),
        h_(num::zeros(n_, m_, resources.kept)),
        x_(num::zeros(n_, m_, resources.kept)),
        a_(num::zeros(n_, m_, resources.kept)),
        sums_(num::zeros(n_, resources.kept)),
        penalty_(num::zeros(m_, resources.scratch)) {
    if (resources.backward) {
      Arena& scratch = resources.scratch;
      da_ = num::zeros(n_, m_, scratch);
      dh_ = num::zeros(n_, m_, scratch);
      dj_ = num::zeros(m_, m_, scratch);
      dq_ = num::zeros(n_, site.dim, scratch);
      dv_ = num::zeros(m_, site.dim, scratch);
    }
    problem_.output_scale = site.divide_output ? 1.0F / static_cast<float>(m_) : 1.0F;
  }

  const Problem* pose(const parts::Weights& weights, ConstView x) override {
    parts_.query.forward(weights, x, query_);
    parts_.value.forward(weights, x, v_, value_);
    num::transpose(v_, turned_);
    num::matmul(v_, turned_, j_, 2.0F * scale_ * scale_);
    std::fill_n(penalty_.data(), m_, per_coefficient_);
    num::matmul(query_.q, turned_, h_, -2.0F * scale_, penalty_);
    problem_.j = j_;
    problem_.h = h_;
    problem_.v = v_;
    return &problem_;
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    pose(weights, x);
    layer_.forward(j_, h_, x_);
    normalize(how_, x_, sums_, a_);
    num::matmul(a_, v_, o, problem_.output_scale);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::matmul(d_o, turned_, da_, problem_.output_scale);
    num::fill(dv_, 0.0F);
    num::matmul_transposed_add(a_, d_o, dv_, problem_.output_scale);
    normalize_backward(how_, x_, a_, sums_, da_, da_);
    layer_.backward(j_, h_, da_, dh_, dj_);
    num::matmul(dh_, v_, dq_, -2.0F * scale_);
    num::matmul_transposed_add(dh_, query_.q, dv_, -2.0F * scale_);
    num::matmul_add(dj_, v_, dv_, 4.0F * scale_ * scale_);
    num::fill(dx, 0.0F);
    parts_.value.backward(weights, x, dv_, dx, gradient, value_);
    parts_.query.backward(weights, x, dq_, dx, gradient, query_);
  }

  ConstView queries() const override { return query_.q; }
  ConstView values() const override { return v_; }
  const CoefficientLayer* coefficients() const override { return &layer_; }
  float residual() const override { return layer_.residual(j_); }

 private:
  int n_;
  int m_;
  Normalization how_;
  float scale_;
  float per_coefficient_;  // lambda / m, or 0 where the solver knows the penalty
  Parts parts_;
  QuerySource::Workspace query_;
  parts::Projection::Workspace value_;
  CoefficientLayer layer_;
  Problem problem_;
  View v_;
  View turned_;  // V'
  View j_;
  View h_;
  View x_;
  View a_;
  std::span<float> sums_;
  std::span<float> penalty_;
  View da_;
  View dh_;
  View dj_;
  View dq_;
  View dv_;
};

}  // namespace

const Kind kOptimizing{
    .name = "optimizing",
    .summary = "coefficients minimise a QUBO or its relaxation",
    .has_problem = true,
    .takes_queries = true,
    .permutes = true,
    .declare = &declare<Optimizing>,
};

}  // namespace oa::attention
