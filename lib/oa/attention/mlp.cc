// The reference's model without attention: o = ReLU(W x + b) token by token, no
// positions.
#include "oa/attention/kinds.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class TokenMlp : public Attention {
 public:
  TokenMlp(const Site& site, parts::Layout& layout)
      : map_(layout, site.prefix + "mlp.0", site.width, site.dim),
        slope_(site.tokens, site.dim) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    map_.forward(weights, x, o);
    num::relu(o, o, slope_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::multiply(d_o, slope_);
    map_.gradients(x, slope_, gradient);
    map_.input_gradient(weights, slope_, dx);
  }

 private:
  parts::Linear map_;
  num::Matrix slope_;  // then the gradient before the ReLU
};

}  // namespace

const Kind kMlp{
    "mlp",
    "no attention: a linear map and ReLU of each patch by itself",
    false,
    false,
    false,
    "softmax",
    [](const Site& site, parts::Layout& layout) -> std::unique_ptr<Attention> {
      return std::make_unique<TokenMlp>(site, layout);
    }};

}  // namespace oa::attention
