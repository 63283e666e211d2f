// Scaled dot-product attention with one head: o = softmax(QK'/sqrt(d)) V.  Beside its
// projections it costs 4nmd FLOPs, backward 8nmd, and n*m of workspace for the weights.
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

struct SoftmaxParts {
  QuerySource query;
  parts::Projection key;
  parts::Projection value;

  SoftmaxParts(const Site& site, parts::Layout& layout)
      : query(site, layout),
        key(layout, site.prefix + "Wk", site.width, site.dim),
        value(layout, site.prefix + "Wv", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site) const {
    const auto product = parts::product_flops(site.queries, site.dim, site.tokens);
    return query.cost() + key.cost(site.tokens) + value.cost(site.tokens) +
           parts::Cost{.forward = 2 * product, .backward = 4 * product};
  }
};

class Softmax : public Attention {
 public:
  using Parts = SoftmaxParts;

  Softmax(const Site& site, const Parts& parts, Arena& arena)
      : parts_(parts),
        query_(parts.query.workspace(arena)),
        key_(parts.key.workspace(site.tokens, arena)),
        value_(parts.value.workspace(site.tokens, arena)),
        scale_(1.0F / std::sqrt(static_cast<float>(site.dim))),
        k_(num::zeros(site.tokens, site.dim, arena)),
        v_(num::zeros(site.tokens, site.dim, arena)),
        turned_(num::zeros(site.dim, site.tokens, arena)),
        p_(num::zeros(site.queries, site.tokens, arena)),
        dp_(num::zeros(site.queries, site.tokens, arena)),
        dq_(num::zeros(site.queries, site.dim, arena)),
        dk_(num::zeros(site.tokens, site.dim, arena)),
        dv_(num::zeros(site.tokens, site.dim, arena)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.query.forward(weights, x, query_);
    parts_.key.forward(weights, x, k_, key_);
    parts_.value.forward(weights, x, v_, value_);
    num::transpose(k_, turned_);
    num::matmul(query_.q, turned_, p_);
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
    num::matmul_transposed_add(dp_, query_.q, dk_);
    num::fill(dx, 0.0F);
    parts_.value.backward(weights, x, dv_, dx, gradient, value_);
    parts_.key.backward(weights, x, dk_, dx, gradient, key_);
    parts_.query.backward(weights, x, dq_, dx, gradient, query_);
  }

  ConstView queries() const override { return query_.q; }
  ConstView values() const override { return v_; }

 private:
  Parts parts_;
  QuerySource::Workspace query_;
  parts::Projection::Workspace key_;
  parts::Projection::Workspace value_;
  float scale_;
  View k_;
  View v_;
  View turned_;  // K', then V'
  View p_;
  View dp_;
  View dq_;
  View dk_;
  View dv_;
};

}  // namespace

const Kind kSoftmax{
    .name = "softmax",
    .summary = "scaled dot-product attention, one head",
    .takes_queries = true,
    .positions = true,
    .head = "mlp.net",
    .declare = &declare<Softmax>,
};

}  // namespace oa::attention
