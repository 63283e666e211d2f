// Attention by optimisation: query i's coefficients minimise |sum_j x_j v'_j - q_i|^2 +
// lambda/m sum_j x_j over [0,1]^m or {0,1}^m, v' = value_scale V / m; as a problem,
//   J = 2 v'v'',  h_i = -2 v'q_i + lambda/m,  o_i = a_i'V (divided by m if asked for).
#include "oa/attention/kinds.h"
#include "oa/attention/query_source.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::Matrix;
using num::View;

class Optimizing : public Attention {
 public:
  Optimizing(const Site& site, parts::Layout& layout)
      : n_(site.queries),
        m_(site.tokens),
        // The fifth power leaves 0 and 1 alone; only its slope would differ.
        how_(site.coefficients == Coefficients::Binary ? Normalization::Sum
                                                       : site.normalization),
        scale_(static_cast<float>(site.value_scale / m_)),
        query_(site, layout),
        value_(layout, site.prefix + "Wv", m_, site.width, site.dim),
        layer_(site),
        v_(m_, site.dim),
        turned_(site.dim, m_),
        j_(m_, m_),
        h_(n_, m_),
        x_(n_, m_),
        a_(n_, m_),
        sums_(static_cast<std::size_t>(n_)),
        penalty_(static_cast<std::size_t>(m_)),
        da_(n_, m_),
        dh_(n_, m_),
        dj_(m_, m_),
        dq_(n_, site.dim),
        dv_(m_, site.dim) {
    if (site.coefficients != Coefficients::Lasso) {
      std::fill_n(penalty_.data(), m_, static_cast<float>(site.lambda / site.tokens));
    }
    problem_.output_scale = site.divide_output ? 1.0F / static_cast<float>(m_) : 1.0F;
  }

  const Problem* pose(const parts::Weights& weights, ConstView x) override {
    query_.forward(weights, x);
    value_.forward(weights, x, v_);
    num::transpose(v_, turned_);
    num::matmul(v_, turned_, j_, 2.0F * scale_ * scale_);
    num::matmul(query_.get(), turned_, h_, -2.0F * scale_, penalty_.span());
    problem_.j = j_;
    problem_.h = h_;
    problem_.v = v_;
    return &problem_;
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    pose(weights, x);
    layer_.forward(j_, h_, x_);
    normalize(how_, x_, sums_.span(), a_);
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
    normalize_backward(how_, x_, a_, sums_.span(), da_, da_);
    layer_.backward(j_, h_, da_, dh_, dj_);
    num::matmul(dh_, v_, dq_, -2.0F * scale_);
    num::matmul_transposed_add(dh_, query_.get(), dv_, -2.0F * scale_);
    num::matmul_add(dj_, v_, dv_, 4.0F * scale_ * scale_);
    num::fill(dx, 0.0F);
    value_.backward(weights, x, dv_, dx, gradient);
    query_.backward(weights, x, dq_, dx, gradient);
  }

  ConstView queries() const override { return query_.get(); }
  ConstView values() const override { return v_; }
  const CoefficientLayer* coefficients() const override { return &layer_; }
  float residual() const override { return layer_.residual(j_); }

 private:
  int n_;
  int m_;
  Normalization how_;
  float scale_;
  QuerySource query_;
  parts::Projection value_;
  CoefficientLayer layer_;
  Problem problem_;
  Matrix v_;
  Matrix turned_;  // V'
  Matrix j_;
  Matrix h_;
  Matrix x_;
  Matrix a_;
  num::Buffer sums_;
  num::Buffer penalty_;
  Matrix da_;
  Matrix dh_;
  Matrix dj_;
  Matrix dq_;
  Matrix dv_;
};

}  // namespace

const Kind kOptimizing{
    "optimizing",
    "coefficients minimise a QUBO or its relaxation",
    true,
    true,
    true,
    "mlp.net",
    [](const Site& site, parts::Layout& layout) -> std::unique_ptr<Attention> {
      return std::make_unique<Optimizing>(site, layout);
    }};

}  // namespace oa::attention
