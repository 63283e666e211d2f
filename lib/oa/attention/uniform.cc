// Every query gets the mean of the values: the ablation that asks what choosing brings.
// It costs a projection and the workspace for its way back.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct UniformParts {
  parts::Projection value;

  UniformParts(const Site& site, parts::Layout& layout)
      : value(layout, site.prefix + "Wv", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    return value.cost(site.keys(tokens));
  }
};

class Uniform : public Attention {
 public:
  using Parts = UniformParts;

  Uniform(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        keys_(site.keys(tokens)),
        queries_(site.queries(tokens)),
        value_(parts.value.workspace(keys_, resources.kept)),
        share_(1.0F / static_cast<float>(keys_)),
        scale_(site.divide_output ? share_ : 1.0F),
        v_(num::zeros(keys_, site.dim, resources.kept)),
        mean_(num::zeros(1, site.dim, resources.scratch)),
        dv_(num::zeros(keys_, site.dim, resources.scratch)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.value.forward(weights, x.top(keys_), v_, value_);
    num::fill(mean_, 0.0F);
    num::add_rows(v_, {mean_.row(0), static_cast<std::size_t>(o.stride)});
    num::fill(o, 0.0F);
    for (int i = 0; i < o.rows; ++i) {
      num::add_scaled(mean_, share_ * scale_, {o.row(i), 1, o.cols, o.stride});
    }
  }

  std::vector<num::Matrix> value_weights() const override {
    std::vector<num::Matrix> heads;
    num::fill(heads.emplace_back(queries_, keys_), share_);
    return heads;
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::fill(mean_, 0.0F);
    num::add_rows(d_o, {mean_.row(0), static_cast<std::size_t>(d_o.stride)});
    num::fill(dv_, 0.0F);
    for (int j = 0; j < dv_.rows; ++j) {
      num::add_scaled(mean_, share_ * scale_, {dv_.row(j), 1, dv_.cols, dv_.stride});
    }
    num::fill(dx, 0.0F);
    parts_.value.backward(weights, x.top(keys_), dv_, dx.top(keys_), gradient, value_);
  }

  ConstView values() const override { return v_; }

 private:
  Parts parts_;
  int keys_;
  int queries_;
  parts::Projection::Workspace value_;
  float share_;
  float scale_;
  View v_;
  View mean_;  // of the values, then the sum of gradients
  View dv_;
};

}  // namespace

const Kind kUniform{
    .name = "uniform",
    .summary = "every query gets the mean of the values",
    .takes_queries = true,
    .permutes = true,
    .declare = &declare<Uniform>,
};

}  // namespace oa::attention
