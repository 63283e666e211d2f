// o_i = q_i: "why not use the query itself?"
#include "oa/attention/kinds.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class Query : public Attention {
 public:
  Query(const Site& site, parts::Layout& layout)
      : map_(layout, site.prefix + "Wq", site.tokens, site.width, site.dim),
        scale_(site.divide_output ? 1.0F / static_cast<float>(site.tokens) : 1.0F),
        q_(site.tokens, site.dim) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    map_.forward(weights, x, q_);
    num::fill(o, 0.0F);
    num::add_scaled(q_, scale_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::fill(q_, 0.0F);
    num::add_scaled(d_o, scale_, q_);
    num::fill(dx, 0.0F);
    map_.backward(weights, x, q_, dx, gradient);
  }

  ConstView queries() const override { return q_; }

 private:
  parts::Projection map_;
  float scale_;
  num::Matrix q_;  // then its gradient
};

}  // namespace

const Kind kQuery{
    "query",
    "the query itself takes the place of the attention",
    false,
    false,
    true,
    "mlp.net",
    [](const Site& site, parts::Layout& layout) -> std::unique_ptr<Attention> {
      return std::make_unique<Query>(site, layout);
    }};

}  // namespace oa::attention
