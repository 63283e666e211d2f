// Scaled dot-product attention with one head: o = softmax(QK'/sqrt(d)) V.
#include "oa/attention/kinds.h"
#include "oa/attention/query_source.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <cmath>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class Softmax : public Attention {
 public:
  Softmax(const Site& site, parts::Layout& layout)
      : query_(site, layout),
        key_(layout, site.prefix + "Wk", site.tokens, site.width, site.dim),
        value_(layout, site.prefix + "Wv", site.tokens, site.width, site.dim),
        scale_(1.0F / std::sqrt(static_cast<float>(site.dim))),
        k_(site.tokens, site.dim),
        v_(site.tokens, site.dim),
        turned_(site.dim, site.tokens),
        p_(site.queries, site.tokens),
        dp_(site.queries, site.tokens),
        dq_(site.queries, site.dim),
        dk_(site.tokens, site.dim),
        dv_(site.tokens, site.dim) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    query_.forward(weights, x);
    key_.forward(weights, x, k_);
    value_.forward(weights, x, v_);
    num::transpose(k_, turned_);
    num::matmul(query_.get(), turned_, p_);
    num::softmax(p_, scale_, p_);
    num::matmul(p_, v_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::transpose(v_, turned_);
    num::matmul(d_o, turned_, dp_);
    num::fill(dv_, 0.0F);
    num::matmul_transposed_add(p_, d_o, dv_);
    num::softmax_backward(p_, dp_, scale_, dp_);
    num::matmul(dp_, k_, dq_);
    num::fill(dk_, 0.0F);
    num::matmul_transposed_add(dp_, query_.get(), dk_);
    num::fill(dx, 0.0F);
    value_.backward(weights, x, dv_, dx, gradient);
    key_.backward(weights, x, dk_, dx, gradient);
    query_.backward(weights, x, dq_, dx, gradient);
  }

  ConstView queries() const override { return query_.get(); }
  ConstView values() const override { return v_; }

 private:
  QuerySource query_;
  parts::Projection key_;
  parts::Projection value_;
  float scale_;
  num::Matrix k_;
  num::Matrix v_;
  num::Matrix turned_;  // K', then V'
  num::Matrix p_;
  num::Matrix dp_;
  num::Matrix dq_;
  num::Matrix dk_;
  num::Matrix dv_;
};

}  // namespace

const Kind kSoftmax{
    "softmax",
    "scaled dot-product attention, one head",
    false,
    true,
    true,
    "mlp.net",
    [](const Site& site, parts::Layout& layout) -> std::unique_ptr<Attention> {
      return std::make_unique<Softmax>(site, layout);
    }};

}  // namespace oa::attention
