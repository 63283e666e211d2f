// Ridge regression from keys to values (von Oswald et al., arXiv:2506.05233): each head
// predicts the value of a query by the regression that fits the keys and values so far,
//
//     q, k = unit(SiLU(convolution of Wq x, Wk x))    g, b = sigmoid(Wa x + bias, Wb x)
//     H_t = g_t H_{t-1} + b_t k_t k_t'                S_t = g_t S_{t-1} + b_t k_t v_t'
//     y_t = S_t' (H_t + L)^-1 q_t                     L = 1/4 + softplus(ridge)
//     o = Wo (RMSNorm of each head of y o SiLU(Wg x))
//
// In a layer that is not causal H and S are sums over all tokens, without g, and q and
// k are unit vectors of Wq x and Wk x.  The systems are solved by conjugate gradients.
// Decoding keeps 2 D D / heads floats, independent of the number of tokens.
#include "oa/attention/kernel/regression/mesa.h"

#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/activation.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/gated_output.h"
#include "oa/attention/kinds/unit_map.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/reading.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct MesaOptions {
  int heads = 1;
  int steps = 30;
  int conv = 4;

  static std::span<const Field<MesaOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&MesaOptions::heads>(),
        field<&MesaOptions::steps>("steps",
                                   "The most steps of conjugate gradients",
                                   {.range = {.low = 1, .high = 1000}}),
        field<&MesaOptions::conv>("conv",
                                  "Tokens that the convolution of a causal layer sees",
                                  {.range = {.low = 1, .high = 64}})};
    return kFields;
  }
};

constexpr float kLeastRidge = 0.25F;
/// Initial value; its softplus and kLeastRidge make a ridge of 1.
constexpr double kRidge = 0.1109;

/// The maps of tokens, one row each.
struct MesaTokens {
  UnitTokens q;
  UnitTokens k;
  View v;
  View decay;
  View b;
};

struct MesaParts {
  MesaOptions options;
  bool causal;
  int dim;
  UnitMap query;
  UnitMap key;
  parts::Linear value;
  parts::Linear step;
  std::optional<parts::Linear> decay;  // in causal layers only
  int ridge;                           // tensor
  GatedOutput out;

  MesaParts(const Site& site, parts::Layout& layout)
      : options(options_of<MesaOptions>(site)),
        causal(site.causal),
        dim(site.dim),
        query(site, "Wq", options.heads, options.conv, layout),
        key(site, "Wk", options.heads, options.conv, layout),
        value(layout, site.prefix + "Wv", site.width, dim, parts::Bias::No),
        step(layout, site.prefix + "Wb", site.width, options.heads, parts::Bias::No),
        ridge(layout.declare(site.prefix + "ridge", {dim}, parts::constant(kRidge))),
        out(site, options.heads, layout) {
    if (causal) {
      decay = parts::Linear(
          layout, site.prefix + "Wa", site.width, options.heads, kDecayBias);
    }
  }

  [[nodiscard]] MesaShape shape(int threads) const {
    return {.heads = options.heads,
            .width = dim / options.heads,
            .steps = options.steps,
            .causal = causal,
            .threads = threads};
  }

  [[nodiscard]] parts::Cost cost(const Site& /*site*/, int tokens) const {
    const auto n = std::int64_t{tokens};
    parts::Cost cost = out.cost(tokens) + step.cost(tokens);
    cost += query.cost(tokens) + key.cost(tokens);
    cost += value.cost(tokens);
    if (decay) {
      cost += decay->cost(tokens);
    }
    cost += {.forward = mesa_flops(shape(1), tokens),
             .backward = mesa_backward_flops(shape(1), tokens),
             .traffic = 4 * n * 5 * dim};
    return cost;
  }

  [[nodiscard]] MesaTokens tokens(int n, Arena& arena, bool backward) const {
    MesaTokens all{.q = query.tokens(n, arena, backward),
                   .k = key.tokens(n, arena, backward),
                   .v = num::zeros(n, dim, arena),
                   .decay = {},
                   .b = num::zeros(n, options.heads, arena)};
    if (causal) {
      all.decay = num::zeros(n, options.heads, arena);
    }
    return all;
  }

  /// The memory of the convolutions.
  void add_memory(MesaTokens& at, Arena& arena) const {
    if (causal) {
      at.q.last = query.memory(arena);
      at.k.last = key.memory(arena);
    }
  }

  void map_tokens(const parts::Weights& weights,
                  ConstView x,
                  const MesaTokens& at,
                  View spare,
                  View ridge_at,
                  View ridge_slope) const {
    query.forward(weights, x, at.q, spare);
    key.forward(weights, x, at.k, spare);
    value.forward(weights, x, at.v);
    step.forward(weights, x, at.b);
    num::logistic(at.b, -1.0F, at.b);
    if (causal) {
      decay->forward(weights, x, at.decay);
      num::logistic(at.decay, -1.0F, at.decay);
    }
    softplus(weights.values().matrix(ridge), ridge_at, ridge_slope);
    for (int c = 0; c < dim; ++c) {
      ridge_at(0, c) += kLeastRidge;
    }
  }

  [[nodiscard]] static MesaInput input(const MesaTokens& at, View ridge_at) {
    return {.q = at.q.unit,
            .k = at.k.unit,
            .v = at.v,
            .gate = at.decay,
            .b = at.b,
            .ridge = {ridge_at.data, oa::at(ridge_at.cols)}};
  }
};

class Mesa : public Attention {
 public:
  using Parts = MesaParts;

  Mesa(const Site& /*site*/, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        threads_(resources.threads),
        at_(parts.tokens(tokens, resources.kept, resources.backward)),
        ridge_(num::zeros(1, parts.dim, resources.kept)),
        z_(num::zeros(tokens, parts.dim, resources.kept)),
        y_(num::zeros(tokens, parts.dim, resources.kept)),
        out_(parts.out.workspace(
            tokens, resources.kept, resources.scratch, resources.backward)),
        spare_(num::zeros(tokens, parts.dim, resources.scratch)) {
    const MesaShape shape = parts.shape(threads_);
    std::size_t bytes = mesa_bytes(shape);
    int states = 1;
    parts.add_memory(at_, resources.scratch);
    if (resources.backward) {
      ridge_slope_ = num::zeros(1, parts.dim, resources.kept);
      gradient_ = Gradient(parts, tokens, resources.scratch);
      bytes = std::max(bytes, mesa_backward_bytes(shape));
      states = mesa_states(shape, tokens);
    }
    states_ = num::zeros(states * mesa_state_size(shape), resources.kept);
    arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    if (parts_.causal) {
      num::fill(at_.q.last, 0.0F);
      num::fill(at_.k.last, 0.0F);
    }
    parts_.map_tokens(weights, x, at_, spare_, ridge_, ridge_slope_);
    mesa_forward(
        parts_.shape(threads_), Parts::input(at_, ridge_), y_, z_, states_, arena_);
    parts_.out.forward(weights, x, y_, out_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const Gradient& d = gradient_;
    parts_.out.backward(weights, x, y_, d_o, out_, d.y, dx, gradient);
    num::fill(d.ridge, 0.0F);
    mesa_backward(parts_.shape(threads_),
                  Parts::input(at_, ridge_),
                  z_,
                  states_,
                  d.y,
                  {.q = d.q,
                   .k = d.k,
                   .v = d.v,
                   .log_gate = d.decay,
                   .b = d.b,
                   .ridge = {d.ridge.data, at(d.ridge.cols)}},
                  arena_);
    num::multiply(ridge_slope_, d.ridge);
    num::add(d.ridge, gradient.matrix(parts_.ridge));
    maps_backward(weights, x, dx, gradient);
  }

  ConstView queries() const override { return at_.q.unit; }
  ConstView values() const override { return at_.v; }

  /// Keeps H and S of each head, and the last inputs of the convolutions.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          state_(num::zeros(mesa_state_size(parts.shape(1)), resources.kept)),
          at_(parts.tokens(1, resources.scratch, false)),
          ridge_(num::zeros(1, parts.dim, resources.scratch)),
          spare_(num::zeros(1, parts.dim, resources.scratch)),
          y_(num::zeros(1, parts.dim, resources.scratch)),
          out_(parts.out.workspace(1, resources.scratch, resources.scratch, false)),
          arena_(resources.scratch.part(mesa_bytes(parts.shape(1)))) {
      parts.add_memory(at_, resources.kept);
    }

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.map_tokens(weights, x, at_, spare_, ridge_, {});
      mesa_step(parts_.shape(1), Parts::input(at_, ridge_), y_, state_, arena_);
      parts_.out.forward(weights, x, y_, out_, y);
    }
    void restart() override {
      std::ranges::fill(state_, 0.0F);
      num::fill(at_.q.last, 0.0F);
      num::fill(at_.k.last, 0.0F);
    }

   private:
    Parts parts_;
    std::span<float> state_;
    MesaTokens at_;
    View ridge_;
    View spare_;
    View y_;
    GatedOutput::Workspace out_;
    Arena arena_;
  };

 private:
  /// Gradients of the values of the same name.
  struct Gradient {
    View y, q, k, v, decay, b, ridge;

    Gradient() = default;
    Gradient(const Parts& parts, int tokens, Arena& arena) {
      for (View* wide : {&y, &q, &k, &v}) {
        *wide = num::zeros(tokens, parts.dim, arena);
      }
      for (View* narrow : {&decay, &b}) {
        *narrow = num::zeros(tokens, parts.options.heads, arena);
      }
      ridge = num::zeros(1, parts.dim, arena);
    }
  };

  void maps_backward(const parts::Weights& weights,
                     ConstView x,
                     View dx,
                     parts::Values& gradient) {
    const Gradient& d = gradient_;
    parts_.query.backward(weights, x, at_.q, d.q, spare_, dx, gradient);
    parts_.key.backward(weights, x, at_.k, d.k, spare_, dx, gradient);
    parts_.value.add_backward(weights, x, d.v, dx, gradient);
    for (int i = 0; i < x.rows; ++i) {
      for (int h = 0; h < parts_.options.heads; ++h) {
        const float b = at_.b(i, h);
        d.b(i, h) *= b * (1.0F - b);
        if (parts_.causal) {
          d.decay(i, h) *= 1.0F - at_.decay(i, h);
        }
      }
    }
    parts_.step.add_backward(weights, x, d.b, dx, gradient);
    if (parts_.decay) {
      parts_.decay->add_backward(weights, x, d.decay, dx, gradient);
    }
  }

  Parts parts_;
  int threads_;
  MesaTokens at_;
  View ridge_;  // L
  View ridge_slope_;
  View z_;  // (H + L)^-1 q
  View y_;
  GatedOutput::Workspace out_;
  View spare_;
  std::span<float> states_;
  Gradient gradient_;
  Arena arena_;
};

std::string refusal_of_mesa(const Site& site) {
  return refusal_of_unit_maps(site, options_of<MesaOptions>(site).heads);
}

}  // namespace

const Kind kMesa{
    .name = "mesa",
    .family = kRecurrentFamily,
    .summary = "ridge regression from keys to values, solved for each query",
    .direction = Direction::Both,
    .permutes = true,
    .options = options_from<MesaOptions>(),
    .refusal = &refusal_of_mesa,
    .declare = &declare<Mesa>,
};

}  // namespace oa::attention
