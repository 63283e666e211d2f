// Selective state spaces (Gu and Dao, arXiv:2312.00752), with E = expand D channels of
// N states:
//
//     u = Win x, z = Wz x      x~ = SiLU(convolution of u over the last tokens)
//     dt = softplus(Wdt Wr x~ + bias), b = Wb x~, c = Wc x~, a = -exp(log_a)
//     h_t = exp(dt_t a) o h_{t-1} + dt_t x~_t b_t'    y_t = h_t c_t + skip o x~_t
//     o = Wout (y o SiLU(z))
//
// The paper has Wr, Wb and Wc as one matrix, and Win and Wz as another.  A sequence of
// n tokens costs n E (6 N + 2 + 2 taps) FLOPs beside its maps, and n E N exponentials,
// which take most of the time.  Decoding keeps E (N + taps - 1) floats, independent of
// the number of tokens.
#include "oa/attention/kernel/activation.h"
#include "oa/attention/kernel/scan/convolution.h"
#include "oa/attention/kernel/scan/selective_scan.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/reading.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
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

struct MambaOptions {
  int expand = 2;
  int states = 16;
  int conv = 4;
  int rank = 0;

  static std::span<const Field<MambaOptions>> fields() {
    static constexpr std::array kFields{
        field<&MambaOptions::expand>("expand",
                                     "Channels for each column of the width",
                                     {.range = {.low = 1, .high = 64}}),
        field<&MambaOptions::states>(
            "states", "States of a channel", {.range = {.low = 1, .high = 1024}}),
        field<&MambaOptions::conv>("conv",
                                   "Tokens that the convolution sees",
                                   {.range = {.low = 1, .high = 64}}),
        field<&MambaOptions::rank>(
            "rank",
            "Rank of the map that computes time steps (0: 1/16 of the width)",
            {.range = {.low = 0, .high = 1 << 16}})};
    return kFields;
  }
};

/// softplus makes steps of 1e-3 to 1e-1 of it, uniform in the logarithm.
constexpr parts::Init kStepBias{
    .draw = parts::Init::Draw::Uniform, .spread = 2.3275, .value = -4.5798};

/// The intermediate results of one reading, one row a token.
struct MambaTokens {
  View x;  // after the convolution
  View low;
  View dt;
  View b;
  View c;
  View x_slope;  // these for backward only
  View dt_slope;
  std::span<float> checkpoints;
};

/// The state of a reading.
struct MambaMemory {
  View last;  // last inputs of the convolution
  std::span<float> state;
};

struct MambaParts {
  MambaOptions options;
  int channels;
  int rank;
  parts::Linear in;
  parts::Linear gate;
  int conv;  // tensors
  int conv_bias;
  parts::Linear low;
  parts::Linear b;
  parts::Linear c;
  int step;
  int step_bias;
  int log_a;
  int skip;
  parts::Linear out;

  MambaParts(const Site& site, parts::Layout& layout)
      : options(options_of<MambaOptions>(site)),
        channels(options.expand * site.dim),
        rank(options.rank > 0 ? options.rank : (site.dim + 15) / 16),
        in(map("Win", site.width, channels, site, layout)),
        gate(map("Wz", site.width, channels, site, layout)),
        conv(layout.declare(site.prefix + "conv.weight",
                            {options.conv, channels},
                            parts::for_inputs(options.conv))),
        conv_bias(layout.declare(
            site.prefix + "conv.bias", {channels}, parts::for_inputs(options.conv))),
        low(map("Wr", channels, rank, site, layout)),
        b(map("Wb", channels, options.states, site, layout)),
        c(map("Wc", channels, options.states, site, layout)),
        step(layout.declare(
            site.prefix + "Wdt.weight", {channels, rank}, parts::for_inputs(rank))),
        step_bias(layout.declare(site.prefix + "Wdt.bias", {channels}, kStepBias)),
        log_a(layout.declare(
            site.prefix + "log_a",
            {options.states, channels},
            {.of_row = [](int state) { return std::log(state + 1.0); }})),
        skip(layout.declare(site.prefix + "skip", {channels}, parts::constant(1.0))),
        out(map("Wout", channels, site.dim, site, layout)) {}

  [[nodiscard]] SelectiveShape shape(int threads) const {
    return {.channels = channels, .states = options.states, .threads = threads};
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto elements = std::int64_t{tokens} * channels;
    const std::int64_t states = options.states;
    const std::int64_t steps = parts::product_flops(tokens, rank, channels);
    parts::Cost reading = low.cost(tokens) + b.cost(tokens) + c.cost(tokens);
    reading.forward += steps + elements * (2 * options.conv + 6 * states + 2);
    reading.backward += 2 * steps + elements * (4 * options.conv + 22 * states + 8);
    reading.projections += steps;
    reading.exponentials = elements * states;
    reading.traffic = 4 * (3 * elements + 2 * tokens * states);
    parts::Cost cost = in.cost(tokens) + gate.cost(tokens) + out.cost(tokens);
    for (std::size_t i = 0; i < readings_at(site).size(); ++i) {
      cost += reading;
    }
    return cost;
  }

  [[nodiscard]] MambaTokens tokens(int n, Arena& arena, bool backward) const {
    MambaTokens all;
    all.x = num::zeros(n, channels, arena);
    all.low = num::zeros(n, rank, arena);
    all.dt = num::zeros(n, channels, arena);
    all.b = num::zeros(n, options.states, arena);
    all.c = num::zeros(n, options.states, arena);
    if (backward) {
      all.x_slope = num::zeros(n, channels, arena);
      all.dt_slope = num::zeros(n, channels, arena);
      all.checkpoints = num::zeros(selective_checkpoint_size(shape(1), n), arena);
    }
    return all;
  }

  [[nodiscard]] MambaMemory memory(Arena& arena) const {
    return {.last = num::zeros(options.conv - 1, channels, arena),
            .state = num::zeros(selective_state_size(shape(1)), arena)};
  }

  [[nodiscard]] SelectiveInput scan_input(const parts::Weights& weights,
                                          Reading reading,
                                          ConstView a,
                                          const MambaTokens& at) const {
    return {.x = in_order(reading, ConstView(at.x)),
            .dt = in_order(reading, ConstView(at.dt)),
            .b = in_order(reading, ConstView(at.b)),
            .c = in_order(reading, ConstView(at.c)),
            .a = a,
            .skip = weights.values().vector(skip)};
  }

  /// Computes y of the tokens whose inner map is u, and advances `memory`.
  void read(const parts::Weights& weights,
            Reading reading,
            ConstView u,
            ConstView a,
            const MambaTokens& at,
            const MambaMemory& memory,
            int threads,
            View y,
            Arena& arena) const {
    convolve(in_order(reading, u),
             weights.values().matrix(conv),
             weights.values().vector(conv_bias),
             memory.last,
             in_order(reading, at.x));
    silu(at.x, at.x, at.x_slope);
    low.forward(weights, at.x, at.low);
    b.forward(weights, at.x, at.b);
    c.forward(weights, at.x, at.c);
    num::matmul(at.low,
                weights.transposed(step),
                at.dt,
                1.0F,
                weights.values().vector(step_bias));
    softplus(at.dt, at.dt, at.dt_slope);
    selective_scan(shape(threads),
                   scan_input(weights, reading, a, at),
                   in_order(reading, y),
                   memory.state,
                   at.checkpoints,
                   arena);
  }

 private:
  static parts::Linear map(
      const char* name, int from, int to, const Site& site, parts::Layout& layout) {
    return {layout, site.prefix + name, from, to, parts::Bias::No};
  }
};

class Mamba : public Attention {
 public:
  using Parts = MambaParts;

  Mamba(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        readings_(readings_at(site)),
        threads_(resources.threads),
        a_(num::zeros(parts.options.states, parts.channels, resources.kept)),
        u_(channel_rows(tokens, resources.kept)),
        gate_(channel_rows(tokens, resources.kept)),
        y_(channel_rows(tokens, resources.kept)),
        mixed_(channel_rows(tokens, resources.kept)),
        memory_(parts.memory(resources.scratch)) {
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      tokens_.push_back(parts.tokens(tokens, resources.kept, resources.backward));
    }
    if (readings_.size() > 1) {
      other_ = channel_rows(tokens, resources.scratch);
    }
    const SelectiveShape shape = parts.shape(threads_);
    std::size_t bytes = selective_scan_bytes(shape);
    if (resources.backward) {
      gate_slope_ = channel_rows(tokens, resources.kept);
      gradient_ = Gradient(parts, tokens, resources.scratch);
      bytes = std::max(bytes, selective_scan_backward_bytes(shape, tokens));
    }
    scan_arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.in.forward(weights, x, u_);
    parts_.gate.forward(weights, x, gate_);
    minus_exp(weights.values().matrix(parts_.log_a), a_);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      const View y = i == 0 ? y_ : other_;
      num::fill(memory_.last, 0.0F);
      std::ranges::fill(memory_.state, 0.0F);
      parts_.read(
          weights, readings_[i], u_, a_, tokens_[i], memory_, threads_, y, scan_arena_);
    }
    if (readings_.size() > 1) {
      num::add(other_, y_);
      num::scale(y_, 0.5F);
    }
    silu(gate_, gate_, gate_slope_);
    num::copy(y_, mixed_);
    num::multiply(gate_, mixed_);
    parts_.out.forward(weights, mixed_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const Gradient& d = gradient_;
    parts_.out.backward(weights, mixed_, d_o, d.z, gradient);
    num::copy(d.z, d.y);
    num::multiply(gate_, d.y);
    num::scale(d.y, 1.0F / static_cast<float>(readings_.size()));
    num::multiply(y_, d.z);
    num::multiply(gate_slope_, d.z);
    num::fill(d.u, 0.0F);
    num::fill(d.a, 0.0F);
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      reading_backward(weights, readings_[i], tokens_[i], gradient);
    }
    num::multiply(a_, d.a);
    num::add(d.a, gradient.matrix(parts_.log_a));
    parts_.in.backward(weights, x, d.u, dx, gradient);
    parts_.gate.add_backward(weights, x, d.z, dx, gradient);
  }

  /// Keeps the state of the scan and the last inputs of the convolution.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          memory_(parts.memory(resources.kept)),
          a_(num::zeros(parts.options.states, parts.channels, resources.scratch)),
          token_(parts.tokens(1, resources.scratch, false)),
          u_(num::zeros(1, parts.channels, resources.scratch)),
          gate_(num::zeros(1, parts.channels, resources.scratch)),
          y_(num::zeros(1, parts.channels, resources.scratch)),
          scan_arena_(resources.scratch.part(selective_scan_bytes(parts.shape(1)))) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.in.forward(weights, x, u_);
      parts_.gate.forward(weights, x, gate_);
      minus_exp(weights.values().matrix(parts_.log_a), a_);
      parts_.read(
          weights, Reading::FromFirst, u_, a_, token_, memory_, 1, y_, scan_arena_);
      silu(gate_, gate_, {});
      num::multiply(gate_, y_);
      parts_.out.forward(weights, y_, y);
    }
    void restart() override {
      num::fill(memory_.last, 0.0F);
      std::ranges::fill(memory_.state, 0.0F);
    }

   private:
    Parts parts_;
    MambaMemory memory_;
    View a_;
    MambaTokens token_;
    View u_;
    View gate_;
    View y_;
    Arena scan_arena_;
  };

 private:
  /// Gradients of the values of the same name.
  struct Gradient {
    View y, z, u, x, dt, low, b, c, a;

    Gradient() = default;
    Gradient(const Parts& parts, int tokens, Arena& arena) {
      for (View* wide : {&y, &z, &u, &x, &dt}) {
        *wide = num::zeros(tokens, parts.channels, arena);
      }
      low = num::zeros(tokens, parts.rank, arena);
      b = num::zeros(tokens, parts.options.states, arena);
      c = num::zeros(tokens, parts.options.states, arena);
      a = num::zeros(parts.options.states, parts.channels, arena);
    }
  };

  View channel_rows(int tokens, Arena& arena) const {
    return num::zeros(tokens, parts_.channels, arena);
  }

  /// Adds to d.u and d.a, from d.y.
  void reading_backward(const parts::Weights& weights,
                        Reading reading,
                        const MambaTokens& at,
                        parts::Values& gradient) {
    const Gradient& d = gradient_;
    selective_scan_backward(parts_.shape(threads_),
                            parts_.scan_input(weights, reading, a_, at),
                            at.checkpoints,
                            in_order(reading, ConstView(d.y)),
                            {.x = in_order(reading, d.x),
                             .dt = in_order(reading, d.dt),
                             .b = in_order(reading, d.b),
                             .c = in_order(reading, d.c),
                             .a = d.a,
                             .skip = gradient.vector(parts_.skip)},
                            scan_arena_);
    num::multiply(at.dt_slope, d.dt);
    num::matmul_transposed_add(d.dt, at.low, gradient.matrix(parts_.step));
    num::add_rows(d.dt, gradient.vector(parts_.step_bias));
    num::matmul(d.dt, weights.values().matrix(parts_.step), d.low);
    parts_.low.add_backward(weights, at.x, d.low, d.x, gradient);
    parts_.b.add_backward(weights, at.x, d.b, d.x, gradient);
    parts_.c.add_backward(weights, at.x, d.c, d.x, gradient);
    num::multiply(at.x_slope, d.x);
    const View du = d.dt;  // free from here on
    convolve_backward(in_order(reading, ConstView(u_)),
                      weights.values().matrix(parts_.conv),
                      in_order(reading, ConstView(d.x)),
                      in_order(reading, du),
                      gradient.matrix(parts_.conv),
                      gradient.vector(parts_.conv_bias));
    num::add(du, d.u);
  }

  Parts parts_;
  std::span<const Reading> readings_;
  int threads_;
  View a_;
  View u_;
  View gate_;  // SiLU(z)
  View gate_slope_;
  View y_;  // averaged over readings
  View mixed_;
  std::vector<MambaTokens> tokens_;  // one for each reading
  MambaMemory memory_;
  View other_;  // y of the second reading
  Gradient gradient_;
  Arena scan_arena_;
};

}  // namespace

const Kind kMamba{
    .name = "mamba",
    .family = kRecurrentFamily,
    .summary = "selective state space: a memory that depends on the token",
    .direction = Direction::Both,
    .options = options_from<MambaOptions>(),
    .declare = &declare<Mamba>,
};

}  // namespace oa::attention
