// Every query gets the mean of the values: the ablation that asks what choosing brings.
#include "oa/attention/kinds.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class Uniform : public Attention {
 public:
  Uniform(const Site& site, parts::Layout& layout)
      : value_(layout, site.prefix + "Wv", site.tokens, site.width, site.dim),
        share_(1.0F / static_cast<float>(site.tokens)),
        scale_(site.divide_output ? share_ : 1.0F),
        v_(site.tokens, site.dim),
        mean_(1, site.dim),
        dv_(site.tokens, site.dim) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    value_.forward(weights, x, v_);
    num::fill(mean_, 0.0F);
    num::add_rows(v_, {mean_.row(0), static_cast<std::size_t>(o.stride)});
    num::fill(o, 0.0F);
    for (int i = 0; i < o.rows; ++i) {
      num::add_scaled(mean_, share_ * scale_, {o.row(i), 1, o.cols, o.stride});
    }
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::fill(mean_, 0.0F);
    num::add_rows(d_o, {mean_.row(0), static_cast<std::size_t>(d_o.stride)});
    num::fill(dv_, 0.0F);
    const View dv = dv_;
    for (int j = 0; j < dv.rows; ++j) {
      num::add_scaled(mean_, share_ * scale_, {dv.row(j), 1, dv.cols, dv.stride});
    }
    num::fill(dx, 0.0F);
    value_.backward(weights, x, dv_, dx, gradient);
  }

  ConstView values() const override { return v_; }

 private:
  parts::Projection value_;
  float share_;
  float scale_;
  num::Matrix v_;
  num::Matrix mean_;  // of the values, then the sum of gradients
  num::Matrix dv_;
};

}  // namespace

const Kind kUniform{
    "uniform",
    "every query gets the mean of the values",
    false,
    true,
    true,
    "mlp.net",
    [](const Site& site, parts::Layout& layout) -> std::unique_ptr<Attention> {
      return std::make_unique<Uniform>(site, layout);
    }};

}  // namespace oa::attention
