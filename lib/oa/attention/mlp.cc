// The reference's model without attention: o = ReLU(W x + b) token by token, no
// positions.  It costs a linear map and a workspace of (m,dim).
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct TokenMlpParts {
  parts::Linear map;

  TokenMlpParts(const Site& site, parts::Layout& layout)
      : map(layout, site.prefix + "mlp.0", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& /*site*/, int tokens) const {
    return map.cost(tokens);
  }
};

class TokenMlp : public Attention {
 public:
  using Parts = TokenMlpParts;

  TokenMlp(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        slope_(num::zeros(tokens, site.dim, resources.kept)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.map.forward(weights, x, o);
    num::relu(o, o, slope_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::multiply(d_o, slope_);
    parts_.map.gradients(x, slope_, gradient);
    parts_.map.input_gradient(weights, slope_, dx);
  }

 private:
  Parts parts_;
  View slope_;  // then the gradient before the ReLU
};

}  // namespace

const Kind kMlp{
    .name = "mlp",
    .summary = "no attention: a linear map and ReLU of each patch by itself",
    .positions = false,
    .permutes = true,
    .head = "softmax",
    .declare = &declare<TokenMlp>,
};

}  // namespace oa::attention
