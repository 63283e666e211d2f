// o_i = q_i: "why not use the query itself?"  It costs a projection.
#include "oa/attention/kinds.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct QueryParts {
  parts::Projection map;

  QueryParts(const Site& site, parts::Layout& layout)
      : map(layout, site.prefix + "Wq", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site) const {
    return map.cost(site.tokens);
  }
};

class Query : public Attention {
 public:
  using Parts = QueryParts;

  Query(const Site& site, const Parts& parts, Arena& arena)
      : parts_(parts),
        map_(parts.map.workspace(site.tokens, arena)),
        scale_(site.divide_output ? 1.0F / static_cast<float>(site.tokens) : 1.0F),
        q_(num::zeros(site.tokens, site.dim, arena)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.map.forward(weights, x, q_, map_);
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
    parts_.map.backward(weights, x, q_, dx, gradient, map_);
  }

  ConstView queries() const override { return q_; }

 private:
  Parts parts_;
  parts::Projection::Workspace map_;
  float scale_;
  View q_;  // then its gradient
};

}  // namespace

const Kind kQuery{
    .name = "query",
    .summary = "the query itself takes the place of the attention",
    .positions = true,
    .head = "mlp.net",
    .declare = &declare<Query>,
};

}  // namespace oa::attention
