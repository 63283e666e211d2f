// A layer that trains a linear model while it reads (Sun et al., arXiv:2407.04620).
// Its state S maps keys to values.  Each batch of 16 tokens makes one step of gradient
// descent from the state S before it,
//
//     q, k = unit(SiLU(convolution of Wq x, Wk x))    eta = sigmoid(We x + bias)
//     S_t = S - sum over the batch up to t of eta_j d |LN(S'k_j) + k_j - v_j|^2 / 2 dS
//     y_t = q_t + LN(S_t' q_t)
//     o = Wo (RMSNorm of each head of y o SiLU(Wg x))
//
// The first S is learned.  The paper has keys of any length and divides eta by their
// width.  A sequence of n tokens costs about 6 n D D / heads FLOPs beside its maps.
// Decoding keeps 2 D D / heads floats, independent of the number of tokens.
#include "oa/attention/kernel/regression/ttt.h"

#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/gated_output.h"
#include "oa/attention/kinds/unit_map.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/reading.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct TttOptions {
  int heads = 1;
  int batch = 16;
  int conv = 4;

  static std::span<const Field<TttOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&TttOptions::heads>(),
        field<&TttOptions::batch>("batch",
                                  "Tokens of a step of gradient descent",
                                  {.range = {.low = 1, .high = 1024}}),
        field<&TttOptions::conv>("conv",
                                 "Tokens that the convolution of a causal layer sees",
                                 {.range = {.low = 1, .high = 64}})};
    return kFields;
  }
};

/// Deviation of the first S: outputs of keys begin far from 0, where LN would be steep.
constexpr double kStart = 0.5;

/// The maps of tokens, one row each.
struct TttTokens {
  UnitTokens q;
  UnitTokens k;
  View v;
  View eta;
};

struct TttParts {
  TttOptions options;
  int dim;
  UnitMap query;
  UnitMap key;
  parts::Linear value;
  parts::Linear step;
  int gain;  // tensors
  int shift;
  int start;
  GatedOutput out;

  TttParts(const Site& site, parts::Layout& layout)
      : options(options_of<TttOptions>(site)),
        dim(site.dim),
        query(site, "Wq", options.heads, options.conv, layout),
        key(site, "Wk", options.heads, options.conv, layout),
        value(layout, site.prefix + "Wv", site.width, dim, parts::Bias::No),
        step(layout, site.prefix + "We", site.width, options.heads),
        gain(layout.declare(
            site.prefix + "inner_norm.weight", {dim}, parts::constant(1.0))),
        shift(layout.declare(
            site.prefix + "inner_norm.bias", {dim}, parts::constant(0.0))),
        start(layout.declare(site.prefix + "start",
                             {dim, dim / options.heads},
                             parts::gaussian(kStart))),
        out(site, options.heads, layout) {}

  [[nodiscard]] TttShape shape(int threads) const {
    return {.heads = options.heads,
            .width = dim / options.heads,
            .batch = options.batch,
            .threads = threads};
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    parts::Cost cost = query.cost(tokens) + key.cost(tokens) + value.cost(tokens) +
                       step.cost(tokens) + out.cost(tokens);
    for (std::size_t i = 0; i < readings_at(site).size(); ++i) {
      cost += {.forward = ttt_flops(shape(1), tokens),
               .backward = ttt_backward_flops(shape(1), tokens),
               .traffic = std::int64_t{4} * tokens * 4 * dim};
    }
    return cost;
  }

  [[nodiscard]] TttTokens tokens(int n, Arena& arena, bool backward) const {
    return {.q = query.tokens(n, arena, backward),
            .k = key.tokens(n, arena, backward),
            .v = num::zeros(n, dim, arena),
            .eta = num::zeros(n, options.heads, arena)};
  }

  void map_tokens(const parts::Weights& weights,
                  ConstView x,
                  const TttTokens& at,
                  View spare) const {
    query.forward(weights, x, at.q, spare);
    key.forward(weights, x, at.k, spare);
    value.forward(weights, x, at.v);
    step.forward(weights, x, at.eta);
    num::logistic(at.eta, -1.0F, at.eta);
  }

  [[nodiscard]] TttInput input(const parts::Weights& weights,
                               Reading reading,
                               const TttTokens& at) const {
    return {.q = in_order(reading, ConstView(at.q.unit)),
            .k = in_order(reading, ConstView(at.k.unit)),
            .v = in_order(reading, ConstView(at.v)),
            .eta = in_order(reading, ConstView(at.eta)),
            .gain = weights.values().vector(gain),
            .shift = weights.values().vector(shift),
            .start = weights.values().matrix(start)};
  }
};

class Ttt : public Attention {
 public:
  using Parts = TttParts;

  Ttt(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        readings_(readings_at(site)),
        threads_(resources.threads),
        at_(parts.tokens(tokens, resources.kept, resources.backward)),
        y_(num::zeros(tokens, parts.dim, resources.kept)),
        out_(parts.out.workspace(
            tokens, resources.kept, resources.scratch, resources.backward)),
        spare_(num::zeros(tokens, parts.dim, resources.scratch)) {
    const TttShape shape = parts.shape(threads_);
    std::size_t bytes = ttt_bytes(shape);
    int states = 1;
    if (site.causal) {
      at_.q.last = parts.query.memory(resources.scratch);
      at_.k.last = parts.key.memory(resources.scratch);
    }
    if (resources.backward) {
      first_ = Gradient(parts, tokens, resources.scratch);
      if (readings_.size() > 1) {
        second_ = Gradient(parts, tokens, resources.scratch);
      }
      dy_ = num::zeros(tokens, parts.dim, resources.scratch);
      bytes = std::max(bytes, ttt_backward_bytes(shape));
      states = ttt_states(shape, tokens);
    }
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      states_.push_back(num::zeros(states * ttt_state_size(shape), resources.kept));
    }
    arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    for (const View last : {at_.q.last, at_.k.last}) {
      num::fill(last, 0.0F);
    }
    parts_.map_tokens(weights, x, at_, spare_);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      ttt_forward(parts_.shape(threads_),
                  parts_.input(weights, readings_[i], at_),
                  in_order(readings_[i], i == 0 ? y_ : spare_),
                  states_[i],
                  arena_);
    }
    if (readings_.size() > 1) {
      num::add(spare_, y_);
      num::scale(y_, 0.5F);
    }
    parts_.out.forward(weights, x, y_, out_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    parts_.out.backward(weights, x, y_, d_o, out_, dy_, dx, gradient);
    num::scale(dy_, 1.0F / static_cast<float>(readings_.size()));
    reading_backward(weights, 0, first_, gradient);
    if (readings_.size() > 1) {
      reading_backward(weights, 1, second_, gradient);
      num::add(second_.q, first_.q);
      num::add(second_.k, first_.k);
      num::add(second_.v, first_.v);
      num::add(second_.eta, first_.eta);
    }
    const Gradient& d = first_;
    parts_.query.backward(weights, x, at_.q, d.q, spare_, dx, gradient);
    parts_.key.backward(weights, x, at_.k, d.k, spare_, dx, gradient);
    parts_.value.add_backward(weights, x, d.v, dx, gradient);
    for (int i = 0; i < x.rows; ++i) {
      for (int h = 0; h < parts_.options.heads; ++h) {
        d.eta(i, h) *= at_.eta(i, h) * (1.0F - at_.eta(i, h));
      }
    }
    parts_.step.add_backward(weights, x, d.eta, dx, gradient);
  }

  ConstView queries() const override { return at_.q.unit; }
  ConstView values() const override { return at_.v; }

  /// Keeps the state that the batch found and the present one, and the last inputs of
  /// the convolutions.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          states_(num::zeros(2 * ttt_state_size(parts.shape(1)), resources.kept)),
          at_(parts.tokens(1, resources.scratch, false)),
          spare_(num::zeros(1, parts.dim, resources.scratch)),
          y_(num::zeros(1, parts.dim, resources.scratch)),
          out_(parts.out.workspace(1, resources.scratch, resources.scratch, false)),
          arena_(resources.scratch.part(ttt_bytes(parts.shape(1)))) {
      at_.q.last = parts.query.memory(resources.kept);
      at_.k.last = parts.key.memory(resources.kept);
    }

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.map_tokens(weights, x, at_, spare_);
      ttt_step(parts_.shape(1),
               parts_.input(weights, Reading::FromFirst, at_),
               token_++,
               y_,
               states_,
               arena_);
      parts_.out.forward(weights, x, y_, out_, y);
    }
    void restart() override {
      token_ = 0;
      num::fill(at_.q.last, 0.0F);
      num::fill(at_.k.last, 0.0F);
    }

   private:
    Parts parts_;
    int token_ = 0;
    std::span<float> states_;
    TttTokens at_;
    View spare_;
    View y_;
    GatedOutput::Workspace out_;
    Arena arena_;
  };

 private:
  /// Gradients of the values of the same name, of one reading.
  struct Gradient {
    View q, k, v, eta;

    Gradient() = default;
    Gradient(const Parts& parts, int tokens, Arena& arena)
        : q(num::zeros(tokens, parts.dim, arena)),
          k(num::zeros(tokens, parts.dim, arena)),
          v(num::zeros(tokens, parts.dim, arena)),
          eta(num::zeros(tokens, parts.options.heads, arena)) {}
  };

  void reading_backward(const parts::Weights& weights,
                        std::size_t which,
                        const Gradient& to,
                        parts::Values& gradient) {
    const Reading reading = readings_[which];
    ttt_backward(parts_.shape(threads_),
                 parts_.input(weights, reading, at_),
                 states_[which],
                 in_order(reading, ConstView(dy_)),
                 {.q = in_order(reading, to.q),
                  .k = in_order(reading, to.k),
                  .v = in_order(reading, to.v),
                  .eta = in_order(reading, to.eta),
                  .gain = gradient.vector(parts_.gain),
                  .shift = gradient.vector(parts_.shift),
                  .start = gradient.matrix(parts_.start)},
                 arena_);
  }

  Parts parts_;
  std::span<const Reading> readings_;
  int threads_;
  TttTokens at_;
  View y_;  // averaged over readings
  GatedOutput::Workspace out_;
  View spare_;
  std::vector<std::span<float>> states_;  // one for each reading
  Gradient first_;  // of one reading each; then the first is the sum
  Gradient second_;
  View dy_;
  Arena arena_;
};

std::string refusal_of_ttt(const Site& site) {
  return refusal_of_unit_maps(site, options_of<TttOptions>(site).heads);
}

}  // namespace

const Kind kTtt{
    .name = "ttt",
    .family = kRecurrentFamily,
    .summary = "a linear model trained while reading, a step for 16 tokens",
    .direction = Direction::Both,
    .options = options_from<TttOptions>(),
    .refusal = &refusal_of_ttt,
    .declare = &declare<Ttt>,
};

}  // namespace oa::attention
