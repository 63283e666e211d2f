// Gated linear attention (Yang, Wang, Shen, Panda and Kim, arXiv:2312.06635): each head
// has a state S, and each channel of a key decays by a factor that the token chooses,
//
//     log a = log sigmoid(W2 W1 x + bias) / 16
//     S_t = diag(a_t) S_{t-1} + k_t v_t'      y_t = q_t' S_t / sqrt(width of a key)
//     o = Wo (RMSNorm of each head of y o SiLU(Wg x))
//
// Keys have half the width of values.  A sequence of n tokens costs 4 n (D/2) D / heads
// FLOPs beside its maps, and nD exponentials.  Decoding keeps D/2 D / heads floats,
// independent of the number of tokens.
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/activation.h"
#include "oa/attention/kernel/rms_norm.h"
#include "oa/attention/kernel/scan/gated_scan.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/reading.h"
#include "oa/base/number.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct GlaOptions {
  int heads = 1;
  int rank = 16;

  static std::span<const Field<GlaOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&GlaOptions::heads>(),
        field<&GlaOptions::rank>("rank",
                                 "Rank of the map that computes decays",
                                 {.range = {.low = 1, .high = 1 << 16}})};
    return kFields;
  }
};

/// a is sigmoid^(1/16), so that the first memory is long.
constexpr float kDecayShare = 1.0F / 16.0F;

/// The maps of tokens, one row each.
struct GlaTokens {
  View q;
  View k;
  View v;
  View low;
  View log_decay;
  View gate;
  View decay_slope;  // these for backward only
  View gate_slope;
};

struct GlaParts {
  GlaOptions options;
  int keys;  // width of all heads together
  int values;
  parts::Linear query;
  parts::Linear key;
  parts::Linear value;
  parts::Linear gate;
  parts::Linear low;
  parts::Linear decay;
  int gain;  // tensor
  parts::Linear out;

  GlaParts(const Site& site, parts::Layout& layout)
      : options(options_of<GlaOptions>(site)),
        keys(site.dim / 2),
        values(site.dim),
        query(layout, site.prefix + "Wq", site.width, keys, parts::Bias::No),
        key(layout, site.prefix + "Wk", site.width, keys, parts::Bias::No),
        value(layout, site.prefix + "Wv", site.width, values, parts::Bias::No),
        gate(layout, site.prefix + "Wg", site.width, values, parts::Bias::No),
        low(layout, site.prefix + "Wa.0", site.width, options.rank, parts::Bias::No),
        decay(layout, site.prefix + "Wa.1", options.rank, keys),
        gain(layout.declare(
            site.prefix + "head_norm.weight", {values}, parts::constant(1.0))),
        out(layout, site.prefix + "Wo", values, site.dim, parts::Bias::No) {}

  [[nodiscard]] GatedShape shape(int threads) const {
    const int key_width = keys / options.heads;
    return {.heads = options.heads,
            .key_width = key_width,
            .value_width = values / options.heads,
            .scale = 1.0F / std::sqrt(static_cast<float>(key_width)),
            .threads = threads};
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{tokens};
    parts::Cost cost = out.cost(tokens);
    for (const parts::Linear* map : {&query, &key, &value, &gate, &low, &decay}) {
      cost += map->cost(tokens);
    }
    const std::int64_t scan = 4 * n * keys * (values / options.heads);
    for (std::size_t i = 0; i < readings_at(site).size(); ++i) {
      cost += {.forward = scan,
               .backward = 3 * scan,
               .exponentials = 2 * n * keys,
               .traffic = 4 * n * (3 * keys + 2 * values)};
    }
    return cost;
  }

  [[nodiscard]] GlaTokens tokens(int n, Arena& arena, bool backward) const {
    GlaTokens all;
    all.q = num::zeros(n, keys, arena);
    all.k = num::zeros(n, keys, arena);
    all.v = num::zeros(n, values, arena);
    all.low = num::zeros(n, options.rank, arena);
    all.log_decay = num::zeros(n, keys, arena);
    all.gate = num::zeros(n, values, arena);
    if (backward) {
      all.decay_slope = num::zeros(n, keys, arena);
      all.gate_slope = num::zeros(n, values, arena);
    }
    return all;
  }

  [[nodiscard]] std::span<float> state(Arena& arena) const {
    return num::zeros(gated_state_size(shape(1)), arena);
  }

  void map_tokens(const parts::Weights& weights,
                  ConstView x,
                  const GlaTokens& at) const {
    query.forward(weights, x, at.q);
    key.forward(weights, x, at.k);
    value.forward(weights, x, at.v);
    low.forward(weights, x, at.low);
    decay.forward(weights, at.low, at.log_decay);
    log_sigmoid(at.log_decay, kDecayShare, at.log_decay, at.decay_slope);
    gate.forward(weights, x, at.gate);
    silu(at.gate, at.gate, at.gate_slope);
  }

  [[nodiscard]] static GatedInput scan_input(Reading reading, const GlaTokens& at) {
    return {.q = in_order(reading, ConstView(at.q)),
            .k = in_order(reading, ConstView(at.k)),
            .log_decay = in_order(reading, ConstView(at.log_decay)),
            .v = in_order(reading, ConstView(at.v))};
  }
};

class Gla : public Attention {
 public:
  using Parts = GlaParts;

  Gla(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        readings_(readings_at(site)),
        threads_(resources.threads),
        at_(parts.tokens(tokens, resources.kept, resources.backward)),
        unit_(num::zeros(tokens, parts.values, resources.kept)),
        mixed_(num::zeros(tokens, parts.values, resources.kept)),
        state_(parts.state(resources.scratch)) {
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      yields_.push_back(
          {.y = num::zeros(tokens, parts.values, resources.kept),
           .rstd = num::zeros(tokens, parts.options.heads, resources.kept)});
    }
    const GatedShape shape = parts.shape(threads_);
    std::size_t bytes = gated_scan_bytes(shape);
    if (resources.backward) {
      gradient_ = Gradient(parts, tokens, resources.scratch);
      first_ = scan_gradient(parts, tokens, resources.scratch);
      if (readings_.size() > 1) {
        second_ = scan_gradient(parts, tokens, resources.scratch);
      }
      bytes = std::max(bytes, gated_scan_backward_bytes(shape));
    }
    scan_arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.map_tokens(weights, x, at_);
    const auto gain = weights.values().vector(parts_.gain);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      const Yield& yield = yields_[i];
      std::ranges::fill(state_, 0.0F);
      gated_scan(parts_.shape(threads_),
                 Parts::scan_input(readings_[i], at_),
                 in_order(readings_[i], yield.y),
                 state_,
                 scan_arena_);
      rms_norm(
          yield.y, parts_.options.heads, gain, yield.rstd, i == 0 ? unit_ : mixed_);
    }
    if (readings_.size() > 1) {
      num::add(mixed_, unit_);
      num::scale(unit_, 0.5F);
    }
    num::copy(unit_, mixed_);
    num::multiply(at_.gate, mixed_);
    parts_.out.forward(weights, mixed_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const Gradient& d = gradient_;
    parts_.out.backward(weights, mixed_, d_o, d.gate, gradient);
    num::copy(d.gate, d.unit);
    num::multiply(at_.gate, d.unit);
    num::scale(d.unit, 1.0F / static_cast<float>(readings_.size()));
    num::multiply(unit_, d.gate);
    num::multiply(at_.gate_slope, d.gate);
    reading_backward(weights, 0, first_, gradient);
    if (readings_.size() > 1) {
      reading_backward(weights, 1, second_, gradient);
      num::add(second_.q, first_.q);
      num::add(second_.k, first_.k);
      num::add(second_.v, first_.v);
      num::add(second_.log_decay, first_.log_decay);
    }
    num::multiply(at_.decay_slope, first_.log_decay);
    maps_backward(weights, x, dx, gradient);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }

  /// Keeps the state S of each head.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          state_(parts.state(resources.kept)),
          at_(parts.tokens(1, resources.scratch, false)),
          y_(num::zeros(1, parts.values, resources.scratch)),
          rstd_(num::zeros(1, parts.options.heads, resources.scratch)),
          scan_arena_(resources.scratch.part(gated_scan_bytes(parts.shape(1)))) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.map_tokens(weights, x, at_);
      gated_scan(parts_.shape(1),
                 Parts::scan_input(Reading::FromFirst, at_),
                 y_,
                 state_,
                 scan_arena_);
      const auto gain = weights.values().vector(parts_.gain);
      rms_norm(y_, parts_.options.heads, gain, rstd_, y_);
      num::multiply(at_.gate, y_);
      parts_.out.forward(weights, y_, y);
    }
    void restart() override { std::ranges::fill(state_, 0.0F); }

   private:
    Parts parts_;
    std::span<float> state_;
    GlaTokens at_;
    View y_;
    View rstd_;
    Arena scan_arena_;
  };

 private:
  /// The output of a reading.
  struct Yield {
    View y;
    View rstd;
  };

  /// Gradients of the values of the same name.
  struct Gradient {
    View y, unit, gate, low;

    Gradient() = default;
    Gradient(const Parts& parts, int tokens, Arena& arena)
        : y(num::zeros(tokens, parts.values, arena)),
          unit(num::zeros(tokens, parts.values, arena)),
          gate(num::zeros(tokens, parts.values, arena)),
          low(num::zeros(tokens, parts.options.rank, arena)) {}
  };

  static GatedGradient scan_gradient(const Parts& parts, int tokens, Arena& arena) {
    return {.q = num::zeros(tokens, parts.keys, arena),
            .k = num::zeros(tokens, parts.keys, arena),
            .log_decay = num::zeros(tokens, parts.keys, arena),
            .v = num::zeros(tokens, parts.values, arena)};
  }

  /// Computes `to` from the gradient of the normalised heads.
  void reading_backward(const parts::Weights& weights,
                        std::size_t which,
                        const GatedGradient& to,
                        parts::Values& gradient) {
    const Reading reading = readings_[which];
    rms_norm_backward(yields_[which].y,
                      parts_.options.heads,
                      weights.values().vector(parts_.gain),
                      yields_[which].rstd,
                      gradient_.unit,
                      gradient_.y,
                      gradient.vector(parts_.gain));
    gated_scan_backward(parts_.shape(threads_),
                        Parts::scan_input(reading, at_),
                        in_order(reading, ConstView(gradient_.y)),
                        {.q = in_order(reading, to.q),
                         .k = in_order(reading, to.k),
                         .log_decay = in_order(reading, to.log_decay),
                         .v = in_order(reading, to.v)},
                        scan_arena_);
  }

  void maps_backward(const parts::Weights& weights,
                     ConstView x,
                     View dx,
                     parts::Values& gradient) {
    parts_.decay.backward(weights, at_.low, first_.log_decay, gradient_.low, gradient);
    num::fill(dx, 0.0F);
    parts_.query.add_backward(weights, x, first_.q, dx, gradient);
    parts_.key.add_backward(weights, x, first_.k, dx, gradient);
    parts_.value.add_backward(weights, x, first_.v, dx, gradient);
    parts_.low.add_backward(weights, x, gradient_.low, dx, gradient);
    parts_.gate.add_backward(weights, x, gradient_.gate, dx, gradient);
  }

  Parts parts_;
  std::span<const Reading> readings_;
  int threads_;
  GlaTokens at_;
  std::vector<Yield> yields_;  // one for each reading
  View unit_;                  // normalised heads, averaged over readings
  View mixed_;
  std::span<float> state_;
  Gradient gradient_;
  GatedGradient first_;  // of one reading each; then the first is the sum
  GatedGradient second_;
  Arena scan_arena_;
};

std::string refusal_of_gla(const Site& site) {
  const int heads = options_of<GlaOptions>(site).heads;
  return site.dim % (2 * heads) == 0
             ? ""
             : "heads=" + format(heads) + " do not divide keys of half a width of " +
                   format(site.dim);
}

}  // namespace

const Kind kGla{
    .name = "gla",
    .family = kRecurrentFamily,
    .summary = "gated linear attention: a memory with decays that depend on the token",
    .direction = Direction::Both,
    .options = options_from<GlaOptions>(),
    .refusal = &refusal_of_gla,
    .declare = &declare<Gla>,
};

}  // namespace oa::attention
