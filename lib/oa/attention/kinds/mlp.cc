// No attention: each token by itself.  Without hidden units it is the reference's o =
// ReLU(W x + b).  With `hidden` it is a map to hidden * dim units, GELU, and a map
// back; with 2 it has as many parameters as the four maps of an attention.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct MlpOptions {
  int hidden = 0;

  static std::span<const Field<MlpOptions>> fields() {
    static constexpr std::array kFields{field<&MlpOptions::hidden>(
        "hidden",
        "Hidden units, as a multiple of the width (0: one map and ReLU)",
        {.range = {.low = 0, .high = 64}})};
    return kFields;
  }
};

struct TokenMlpParts {
  std::optional<parts::Linear> map;
  std::optional<parts::Mlp> mlp;

  TokenMlpParts(const Site& site, parts::Layout& layout) {
    const int hidden = options_of<MlpOptions>(site).hidden;
    if (hidden == 0) {
      map.emplace(layout, site.prefix + "mlp.0", site.width, site.dim);
    } else {
      mlp.emplace(layout,
                  site.prefix + "mlp.0",
                  site.prefix + "mlp.2",
                  site.width,
                  hidden * site.dim,
                  site.dim);
    }
  }

  [[nodiscard]] parts::Cost cost(const Site& /*site*/, int tokens) const {
    return map ? map->cost(tokens) : mlp->cost(tokens);
  }
};

class TokenMlp : public Attention {
 public:
  using Parts = TokenMlpParts;

  TokenMlp(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts) {
    if (parts_.map) {
      slope_ = num::zeros(tokens, site.dim, resources.kept);
    } else {
      mlp_ = parts_.mlp->workspace(tokens, resources.kept);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    if (parts_.map) {
      parts_.map->forward(weights, x, o);
      num::relu(o, o, slope_);
    } else {
      parts_.mlp->forward(weights, x, o, mlp_);
    }
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    if (parts_.map) {
      num::multiply(d_o, slope_);
      parts_.map->backward(weights, x, slope_, dx, gradient);
    } else {
      parts_.mlp->backward(weights, x, d_o, dx, gradient, mlp_);
    }
  }

  class Decoder;

 private:
  Parts parts_;
  View slope_;  // then the gradient before ReLU
  parts::Mlp::Workspace mlp_;
};

class TokenMlp::Decoder : public attention::Decoder {
 public:
  Decoder(const Site& site,
          const Parts& parts,
          int /*tokens*/,
          const Resources& resources)
      : one_(site,
             parts,
             1,
             {.kept = resources.scratch,
              .scratch = resources.scratch,
              .backward = false}) {}

  void step(const parts::Weights& weights, ConstView x, View y) override {
    one_.forward(weights, x, y);
  }
  void restart() override {}  // there is no state

 private:
  TokenMlp one_;
};

}  // namespace

const Kind kMlp{
    .name = "mlp",
    .family = kKeylessFamily,
    .summary = "no attention: a network applied to each token",
    .direction = Direction::Both,
    .positions = false,
    .permutes = true,
    .head = "softmax",
    .options = options_from<MlpOptions>(),
    .declare = &declare<TokenMlp>,
};

}  // namespace oa::attention
