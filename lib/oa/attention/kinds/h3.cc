// Hungry Hungry Hippos (Dao et al., arXiv:2212.14052): a query reads products of keys
// and values from a state-space model with fixed decays,
//
//     k~ = convolution of k over the last tokens
//     p_t = k~_t v_t', head by head      s = diagonal state-space model of p
//     o = Wo (q_t' s_t, head by head)
//
// Heads have one column by default; with h columns p has h^2 channels a head, which
// share its model.  A sequence of n tokens costs n D (2 taps + h (6 states + 4)) FLOPs
// beside its maps.  Decoding keeps D (h states + taps - 1) floats, independent of the
// number of tokens, and the poles of the model.
#include "oa/attention/kernel/head_products.h"
#include "oa/attention/kernel/scan/convolution.h"
#include "oa/attention/kernel/scan/diagonal_scan.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/h3_model.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/reading.h"
#include "oa/base/number.h"
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

struct H3Options {
  int shift = 4;
  int states = 16;
  int head_dim = 1;

  static std::span<const Field<H3Options>> fields() {
    static constexpr std::array kFields{
        field<&H3Options::shift>("shift",
                                 "Tokens that the convolution of keys sees",
                                 {.range = {.low = 1, .high = 64}}),
        field<&H3Options::states>("states",
                                  "States of a channel, in conjugate pairs",
                                  {.range = {.low = 2, .high = 1024}}),
        field<&H3Options::head_dim>(
            "head_dim", "Columns of a head", {.range = {.low = 1, .high = 256}})};
    return kFields;
  }
};

/// The maps of tokens, one row each.
struct H3Tokens {
  View q;
  View k;
  View v;
};

/// The state of a reading.
struct H3Memory {
  View last;  // last keys, for the convolution
  std::span<float> state;
};

struct H3Parts {
  H3Options options;
  int dim;
  parts::Linear query;
  parts::Linear key;
  parts::Linear value;
  int shift;  // tensor
  H3Model model;
  parts::Linear out;

  H3Parts(const Site& site, parts::Layout& layout)
      : options(options_of<H3Options>(site)),
        dim(site.dim),
        query(layout, site.prefix + "Wq", site.width, dim, parts::Bias::No),
        key(layout, site.prefix + "Wk", site.width, dim, parts::Bias::No),
        value(layout, site.prefix + "Wv", site.width, dim, parts::Bias::No),
        shift(layout.declare(site.prefix + "shift.weight",
                             {options.shift, dim},
                             parts::for_inputs(options.shift))),
        model(layout,
              site.prefix,
              options.states / 2,
              dim / options.head_dim,
              options.head_dim * options.head_dim),
        out(layout, site.prefix + "Wo", dim, site.dim, parts::Bias::No) {}

  [[nodiscard]] int channels() const { return model.channels(); }
  [[nodiscard]] DiagonalShape shape(int threads) const {
    return {.channels = channels(), .pairs = model.pairs(), .threads = threads};
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{tokens};
    const std::int64_t products = 2 * n * channels();
    const std::int64_t taps = 2 * n * dim * options.shift;
    const std::int64_t scan = n * channels() * (12 * model.pairs() + 2);
    parts::Cost cost =
        query.cost(tokens) + key.cost(tokens) + value.cost(tokens) + out.cost(tokens);
    cost.forward += products;  // products with queries
    cost.backward += 2 * products;
    for (std::size_t i = 0; i < readings_at(site).size(); ++i) {
      cost += {.forward = taps + scan,
               .backward = 2 * (taps + products) + 4 * scan,
               .traffic = 4 * n * (3 * dim + 2 * channels())};
    }
    return cost;
  }

  [[nodiscard]] H3Tokens tokens(int n, Arena& arena) const {
    return {.q = num::zeros(n, dim, arena),
            .k = num::zeros(n, dim, arena),
            .v = num::zeros(n, dim, arena)};
  }

  [[nodiscard]] H3Memory memory(Arena& arena) const {
    return {.last = num::zeros(options.shift - 1, dim, arena),
            .state = num::zeros(diagonal_state_size(shape(1)), arena)};
  }

  void map_tokens(const parts::Weights& weights,
                  ConstView x,
                  const H3Tokens& to) const {
    query.forward(weights, x, to.q);
    key.forward(weights, x, to.k);
    value.forward(weights, x, to.v);
  }
};

class H3 : public Attention {
 public:
  using Parts = H3Parts;

  H3(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        readings_(readings_at(site)),
        threads_(resources.threads),
        at_(parts.tokens(tokens, resources.kept)),
        models_(parts.model.for_channels(resources.kept)),
        head_models_(parts.model.for_heads(resources.scratch)),
        sum_(num::zeros(tokens, parts.channels(), resources.kept)),
        mixed_(num::zeros(tokens, parts.dim, resources.kept)),
        memory_(parts.memory(resources.scratch)),
        p_(num::zeros(tokens, parts.channels(), resources.scratch)) {
    const DiagonalShape shape = parts.shape(threads_);
    std::size_t bytes = diagonal_scan_bytes(shape);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      Reader& reader = readers_.emplace_back();
      reader.shifted = num::zeros(tokens, parts.dim, resources.kept);
      if (resources.backward) {
        reader.checkpoints =
            num::zeros(diagonal_checkpoint_size(shape, tokens), resources.kept);
      }
    }
    if (readings_.size() > 1) {
      other_ = num::zeros(tokens, parts.channels(), resources.scratch);
    }
    if (resources.backward) {
      gradient_ = Gradient(parts, tokens, resources.scratch);
      bytes = std::max(bytes, diagonal_scan_backward_bytes(shape));
    }
    scan_arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.map_tokens(weights, x, at_);
    parts_.model.make(weights, head_models_, models_);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      const Reading reading = readings_[i];
      const Reader& reader = readers_[i];
      num::fill(memory_.last, 0.0F);
      std::ranges::fill(memory_.state, 0.0F);
      convolve(in_order(reading, ConstView(at_.k)),
               weights.values().matrix(parts_.shift),
               {},
               memory_.last,
               in_order(reading, reader.shifted));
      head_outer(reader.shifted, at_.v, parts_.options.head_dim, p_);
      diagonal_scan(parts_.shape(threads_),
                    models_.input(in_order(reading, ConstView(p_))),
                    in_order(reading, i == 0 ? sum_ : other_),
                    memory_.state,
                    reader.checkpoints,
                    scan_arena_);
    }
    if (readings_.size() > 1) {
      num::add(other_, sum_);
      num::scale(sum_, 0.5F);
    }
    head_sum_rows(sum_, at_.q, parts_.options.head_dim, mixed_);
    parts_.out.forward(weights, mixed_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const Gradient& d = gradient_;
    const int width = parts_.options.head_dim;
    parts_.out.backward(weights, mixed_, d_o, d.mixed, gradient);
    head_sum_columns(sum_, d.mixed, width, d.at.q);
    num::scale(d.mixed, 1.0F / static_cast<float>(readings_.size()));
    head_outer(at_.q, d.mixed, width, d.sum);
    num::fill(d.at.k, 0.0F);
    num::fill(d.at.v, 0.0F);
    d.models.clear();
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      reading_backward(weights, readings_[i], readers_[i], gradient);
    }
    parts_.model.backward(weights, d.models, head_models_, gradient);
    num::fill(dx, 0.0F);
    parts_.query.add_backward(weights, x, d.at.q, dx, gradient);
    parts_.key.add_backward(weights, x, d.at.k, dx, gradient);
    parts_.value.add_backward(weights, x, d.at.v, dx, gradient);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }

  /// Keeps the state of the model, the last keys for the convolution, and the models of
  /// channels, whose sines take longer than a step.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          memory_(parts.memory(resources.kept)),
          models_(parts.model.for_channels(resources.kept)),
          head_models_(parts.model.for_heads(resources.scratch)),
          at_(parts.tokens(1, resources.scratch)),
          shifted_(num::zeros(1, parts.dim, resources.scratch)),
          p_(num::zeros(1, parts.channels(), resources.scratch)),
          s_(num::zeros(1, parts.channels(), resources.scratch)),
          scan_arena_(resources.scratch.part(diagonal_scan_bytes(parts.shape(1)))) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      if (!begun_) {
        parts_.model.make(weights, head_models_, models_);
        begun_ = true;
      }
      const int width = parts_.options.head_dim;
      parts_.map_tokens(weights, x, at_);
      convolve(
          at_.k, weights.values().matrix(parts_.shift), {}, memory_.last, shifted_);
      head_outer(shifted_, at_.v, width, p_);
      diagonal_scan(
          parts_.shape(1), models_.input(p_), s_, memory_.state, {}, scan_arena_);
      head_sum_rows(s_, at_.q, width, shifted_);
      parts_.out.forward(weights, shifted_, y);
    }
    void restart() override {
      begun_ = false;
      num::fill(memory_.last, 0.0F);
      std::ranges::fill(memory_.state, 0.0F);
    }

   private:
    Parts parts_;
    H3Memory memory_;
    DiagonalModels models_;
    DiagonalModels head_models_;
    H3Tokens at_;
    View shifted_;
    View p_;
    View s_;
    Arena scan_arena_;
    bool begun_ = false;  // whether models_ are those of this sequence's weights
  };

 private:
  /// The saved results of a reading.
  struct Reader {
    View shifted;  // k~
    std::span<float> checkpoints;
  };

  /// Gradients of the values of the same name.
  struct Gradient {
    H3Tokens at;
    View mixed, sum, p, shifted, k;
    DiagonalModels models;

    Gradient() = default;
    Gradient(const Parts& parts, int tokens, Arena& arena)
        : at(parts.tokens(tokens, arena)),
          mixed(num::zeros(tokens, parts.dim, arena)),
          sum(num::zeros(tokens, parts.channels(), arena)),
          p(num::zeros(tokens, parts.channels(), arena)),
          shifted(num::zeros(tokens, parts.dim, arena)),
          k(num::zeros(tokens, parts.dim, arena)),
          models(parts.model.for_channels(arena)) {}
  };

  /// Adds to d.at.k, d.at.v and d.models, from d.sum.
  void reading_backward(const parts::Weights& weights,
                        Reading reading,
                        const Reader& reader,
                        parts::Values& gradient) {
    const Gradient& d = gradient_;
    const int width = parts_.options.head_dim;
    head_outer(reader.shifted, at_.v, width, p_);
    diagonal_scan_backward(parts_.shape(threads_),
                           models_.input(in_order(reading, ConstView(p_))),
                           reader.checkpoints,
                           in_order(reading, ConstView(d.sum)),
                           d.models.gradient(in_order(reading, d.p)),
                           scan_arena_);
    head_sum_rows(d.p, reader.shifted, width, d.k);
    num::add(d.k, d.at.v);
    head_sum_columns(d.p, at_.v, width, d.shifted);
    convolve_backward(in_order(reading, ConstView(at_.k)),
                      weights.values().matrix(parts_.shift),
                      in_order(reading, ConstView(d.shifted)),
                      in_order(reading, d.k),
                      gradient.matrix(parts_.shift),
                      {});
    num::add(d.k, d.at.k);
  }

  Parts parts_;
  std::span<const Reading> readings_;
  int threads_;
  H3Tokens at_;
  DiagonalModels models_;       // of each channel
  DiagonalModels head_models_;  // of each head
  std::vector<Reader> readers_;
  View sum_;  // s, averaged over readings
  View mixed_;
  H3Memory memory_;
  View p_;
  View other_;  // s of the second reading
  Gradient gradient_;
  Arena scan_arena_;
};

std::string refusal_of_h3(const Site& site) {
  const H3Options options = options_of<H3Options>(site);
  if (site.dim % options.head_dim != 0) {
    return "head_dim=" + format(options.head_dim) + " does not divide a width of " +
           format(site.dim);
  }
  return options.states % 2 == 0
             ? ""
             : "states=" + format(options.states) + " is odd (expected pairs)";
}

}  // namespace

const Kind kH3{
    .name = "h3",
    .family = kRecurrentFamily,
    .summary = "state-space memory of products of keys and values",
    .direction = Direction::Both,
    .options = options_from<H3Options>(),
    .refusal = &refusal_of_h3,
    .declare = &declare<H3>,
};

}  // namespace oa::attention
