// o_i = q_i: the ablation that uses the query itself.  It costs a projection.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <array>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct QueryParts {
  parts::Projection map;

  QueryParts(const Site& site, parts::Layout& layout)
      : map(layout, site.prefix + "Wq", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& /*site*/, int tokens) const {
    return map.cost(tokens);
  }
};

class Query : public Attention {
 public:
  using Parts = QueryParts;

  Query(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        map_(parts.map.workspace(tokens, resources.kept)),
        scale_(site.divide_output ? 1.0F / static_cast<float>(tokens) : 1.0F),
        q_(num::zeros(tokens, site.dim, resources.kept)) {}

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

constexpr std::array kQuerySettings{KindSetting{"divide_output"}};

}  // namespace

const Kind kQuery{
    .name = "query",
    .family = kKeylessFamily,
    .summary = "no attention: the output is the query",
    .permutes = true,
    .settings = kQuerySettings,
    .declare = &declare<Query>,
};

}  // namespace oa::attention
