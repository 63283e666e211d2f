#include "survey/kernel/scan/gated_scan.h"

#include "oa/base/index.h"
#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/outer_scan.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Computes sums of log a since the start of a segment.  Tokens are `missing` tokens
// without decay, then those of `log_decay`.  A segment starts where a |sum| would
// exceed `limit`; NaN does not, or every later token would start a segment.  `begins`
// receives the starts of segments after the first, and `decays` the factors of the
// state at these starts and at the end of the block.  Returns the number of `begins`.
HWY_ATTR int segment_rows(num::ConstView log_decay,
                          int missing,
                          float limit,
                          int width,
                          float* sums,
                          float* decays,
                          int* begins) {
  const int steps = missing + log_decay.rows;
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto most = hn::Set(d, limit);
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    float* b = sums + static_cast<std::ptrdiff_t>(t) * width;
    auto largest = hn::Zero(d);
    for (int j = 0; j < width; j += lanes) {
      auto x = hn::Zero(d);
      if (t >= missing && j < log_decay.cols) {
        x = load_some(log_decay.row(t - missing) + j, log_decay.cols - j);
      }
      if (t > 0) {
        x = hn::Add(x, hn::Load(d, b - width + j));
      }
      hn::Store(x, d, b + j);
      largest = hn::IfThenElse(hn::Gt(hn::Abs(x), most), most, largest);
    }
    const bool last = t == steps - 1;
    const bool beyond = !hn::AllFalse(d, hn::Eq(largest, most));
    if (beyond) {
      float* decay = decays + static_cast<std::ptrdiff_t>(count) * width;
      for (int j = 0; j < width; j += lanes) {
        hn::Store(exp_of(d, hn::Load(d, b + j)), d, decay + j);
        hn::Store(hn::Zero(d), d, b + j);
      }
      begins[count++] = t;
    }
    if (last) {
      float* decay = decays + static_cast<std::ptrdiff_t>(count) * width;
      for (int j = 0; j < width; j += lanes) {
        hn::Store(exp_of(d, hn::Load(d, b + j)), d, decay + j);
      }
    }
  }
  return count;
}

// Computes read = scale q * exp(b) and write = k * exp(-b), elementwise in one pass.
HWY_ATTR void fold_decays(const float* b,
                          num::ConstView q,
                          num::ConstView k,
                          float scale,
                          int width,
                          float* read,
                          float* write) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto by = hn::Set(d, scale);
  for (int t = 0; t < q.rows; ++t, b += width, read += width, write += width) {
    for (int j = 0; j < q.cols; j += lanes) {
      const auto x = hn::Load(d, b + j);
      const auto shrink = hn::Mul(by, exp_of(d, x));
      const auto grow = exp_of(d, hn::Neg(x));
      const int some = q.cols - j;
      hn::Store(hn::Mul(shrink, load_some(q.row(t) + j, some)), d, read + j);
      hn::Store(hn::Mul(grow, load_some(k.row(t) + j, some)), d, write + j);
    }
  }
}

// Computes shrink = exp(b) and grow = exp(-b).
HWY_ATTR void exponentials(const float* b, int size, float* shrink, float* grow) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < size; i += lanes) {
    const auto x = hn::Load(d, b + i);
    hn::Store(exp_of(d, x), d, shrink + i);
    hn::Store(exp_of(d, hn::Neg(x)), d, grow + i);
  }
}

// Adds q * dq - k * dk (elementwise) of each token to `sum`,
// which then is the gradient of the token's log a.
HWY_ATTR void decay_gradient(const float* q,
                             const float* dq,
                             const float* k,
                             const float* dk,
                             int steps,
                             int width,
                             float* sum,
                             float* gradient) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < width; j += lanes) {
    auto s = hn::Load(d, sum + j);
    for (int i = j; i < steps * width; i += width) {
      s = hn::MulAdd(hn::Load(d, q + i), hn::Load(d, dq + i), s);
      s = hn::NegMulAdd(hn::Load(d, k + i), hn::Load(d, dk + i), s);
      hn::Store(s, d, gradient + i);
    }
    hn::Store(s, d, sum + j);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(segment_rows);
HWY_EXPORT(exponentials);
HWY_EXPORT(fold_decays);
HWY_EXPORT(decay_gradient);

constexpr float kLargestSum = 20.0F;

using num::ConstView;
using num::View;

// The decays of one block.
struct Decays {
  Decays(int channels, Arena& arena)
      : width(channels),
        sums(zeroed_floats(kScanSteps * channels, arena)),
        factors(zeroed_floats((kScanSteps + 1) * channels, arena)),
        shrink(zeroed_floats(kScanSteps * channels, arena)),
        grow(zeroed_floats(kScanSteps * channels, arena)) {}

  // Reads the log decays of a block of tokens, or of the tokens `delay` earlier.
  // Before the first token there is no decay.
  void make(ConstView log_decay, const TokenBlock& block, int delay) {
    const int first = block.first;
    const int count = block.count;
    const int missing = first == 0 ? std::min(delay, count) : 0;
    std::array<int, kScanSteps> begins;
    const int breaks = HWY_DYNAMIC_DISPATCH(segment_rows)(
        row_block(log_decay, first - delay + missing, count - missing),
        missing,
        kLargestSum,
        width,
        sums,
        factors,
        begins.data());
    segments[0] = {0, breaks == 0 ? count : begins[0], nullptr};
    for (int i = 0; i < breaks; ++i) {
      const int end = i + 1 < breaks ? begins[at(i + 1)] : count;
      segments[at(i + 1)] = {begins[at(i)], end, factors + i * width};
    }
    segments[at(breaks + 1)] = {count, count, factors + breaks * width};
    used = breaks + 2;
  }

  // Computes shrink and grow, after make().
  void exponentiate(int count) const {
    HWY_DYNAMIC_DISPATCH(exponentials)(sums, count * width, shrink, grow);
  }

  [[nodiscard]] std::span<const ScanSegment> all() const {
    return std::span(segments).first(at(used));
  }

  int width;
  float* sums;
  float* factors;  // of the state, at the start of segments
  float* shrink;   // exp(b_t)
  float* grow;     // exp(-b_t)
  std::array<ScanSegment, kScanSteps + 2> segments;
  int used = 0;
};

// A thread's memory for a block of a head, with letters as in gated_scan.h.
struct Scratch {
  Scratch(const GatedShape& shape, Arena& arena)
      : keys(num::padded(shape.key_width)),
        values(num::padded(shape.value_width)),
        decays(keys, arena),
        q(zeroed_floats(kScanSteps * keys, arena)),
        k(zeroed_floats(kScanSteps * keys, arena)),
        v(zeroed_floats(kScanSteps * values, arena)),
        o(zeroed_floats(kScanSteps * values, arena)) {}

  int keys;
  int values;
  Decays decays;
  float* q;
  float* k;
  float* v;
  float* o;
};

// The gradients of every head's state between two blocks.
struct HeadStates {
  HeadStates(const GatedShape& s, Arena& arena)
      : size(gated_state_size(s)),
        gate_sum(zeroed_floats(s.heads * num::padded(s.key_width), arena)),
        state(zeroed_floats(size, arena)),
        transposed(zeroed_floats(size, arena)) {}

  std::int64_t size;
  float* gate_sum;
  float* state;       // keys x values
  float* transposed;  // values x keys
};

struct BackwardScratch : Scratch {
  BackwardScratch(const GatedShape& shape, const HeadStates& all, Arena& arena)
      : Scratch(shape, arena),
        states(all),
        dq(zeroed_floats(kScanSteps * keys, arena)),
        dk(zeroed_floats(kScanSteps * keys, arena)),
        dv(zeroed_floats(kScanSteps * values, arena)) {}

  HeadStates states;
  float* dq;
  float* dk;
  float* dv;
};

template <class AnyView>
AnyView values_of(const GatedShape& s, AnyView x, const TokenBlock& b) {
  return row_block(columns(x, b.head * s.value_width, s.value_width), b.first, b.count);
}

template <class AnyView>
AnyView keys_of(const GatedShape& s, AnyView x, const TokenBlock& b) {
  return row_block(columns(x, b.head * s.key_width, s.key_width), b.first, b.count);
}

std::ptrdiff_t state_offset(const Scratch& x, const TokenBlock& b) {
  return static_cast<std::ptrdiff_t>(b.head) * x.keys * x.values;
}

void scan_block(const GatedShape& s,
                const GatedInput& in,
                View o,
                float* state,
                Scratch& x,
                const TokenBlock& b) {
  x.decays.make(columns(in.log_decay, b.head * s.key_width, s.key_width), b, 0);
  HWY_DYNAMIC_DISPATCH(fold_decays)
  (x.decays.sums, keys_of(s, in.q, b), keys_of(s, in.k, b), s.scale, x.keys, x.q, x.k);
  pack(values_of(s, in.v, b), 1.0F, x.v, x.values);
  outer_scan({.write = x.k,
              .read = x.q,
              .value = x.v,
              .out = x.o,
              .state = state + state_offset(x, b),
              .rows = x.keys,
              .width = x.values,
              .segments = x.decays.all(),
              .along = DecayAlong::Rows});
  unpack(x.o, x.values, values_of(s, o, b));
}

// Computes dq_t = scale S_t do_t by a scan with a transposed state.
void query_gradient(const GatedShape& s,
                    const GatedInput& in,
                    ConstView d_o,
                    View dq,
                    BackwardScratch& x,
                    const TokenBlock& b) {
  x.decays.make(columns(in.log_decay, b.head * s.key_width, s.key_width), b, 0);
  x.decays.exponentiate(b.count);
  pack_product(keys_of(s, in.k, b), 1.0F, x.decays.grow, x.k, x.keys);
  pack(values_of(s, in.v, b), 1.0F, x.v, x.values);
  pack(values_of(s, d_o, b), 1.0F, x.o, x.values);
  outer_scan({.write = x.v,
              .read = x.o,
              .value = x.k,
              .out = x.dq,
              .state = x.states.transposed + state_offset(x, b),
              .rows = x.values,
              .width = x.keys,
              .segments = x.decays.all(),
              .along = DecayAlong::Columns});
  unpack_product(x.dq, x.decays.shrink, s.scale, x.keys, keys_of(s, dq, b));
}

// Computes G_t = diag(a_{t+1}) G_{t+1} + scale q_t do_t',
// dv_t = G_t' k_t and dk_t = G_t v_t.  All views are in reverse order.
void key_gradients(const GatedShape& s,
                   const GatedInput& in,
                   ConstView d_o,
                   const GatedGradient& to,
                   BackwardScratch& x,
                   const TokenBlock& b) {
  x.decays.make(columns(in.log_decay, b.head * s.key_width, s.key_width), b, 1);
  x.decays.exponentiate(b.count);
  pack_product(keys_of(s, in.q, b), s.scale, x.decays.grow, x.q, x.keys);
  pack_product(keys_of(s, in.k, b), 1.0F, x.decays.shrink, x.k, x.keys);
  pack(values_of(s, in.v, b), 1.0F, x.v, x.values);
  pack(values_of(s, d_o, b), 1.0F, x.o, x.values);
  outer_scan({.write = x.q,
              .read = x.k,
              .value = x.o,
              .out = x.dv,
              .state = x.states.state + state_offset(x, b),
              .rows = x.keys,
              .width = x.values,
              .segments = x.decays.all(),
              .along = DecayAlong::Rows});
  unpack(x.dv, x.values, values_of(s, to.v, b));
  outer_scan({.write = x.o,
              .read = x.v,
              .value = x.q,
              .out = x.dk,
              .state = x.states.transposed + state_offset(x, b),
              .rows = x.values,
              .width = x.keys,
              .segments = x.decays.all(),
              .along = DecayAlong::Columns});
  unpack_product(x.dk, x.decays.shrink, 1.0F, x.keys, keys_of(s, to.k, b));
}

// Computes d log a_t, the sum over tokens from t on of q * dq - k * dk
// (elementwise), after key_gradients().
void decay_gradients(const GatedShape& s,
                     const GatedInput& in,
                     const GatedGradient& to,
                     BackwardScratch& x,
                     const TokenBlock& b) {
  pack(keys_of(s, in.q, b), 1.0F, x.q, x.keys);
  pack(keys_of(s, in.k, b), 1.0F, x.k, x.keys);
  pack(keys_of(s, ConstView(to.q), b), 1.0F, x.dq, x.keys);
  pack(keys_of(s, ConstView(to.k), b), 1.0F, x.dk, x.keys);
  HWY_DYNAMIC_DISPATCH(decay_gradient)
  (x.q,
   x.dq,
   x.k,
   x.dk,
   b.count,
   x.keys,
   x.states.gate_sum + static_cast<std::ptrdiff_t>(b.head) * x.keys,
   x.decays.sums);
  unpack(x.decays.sums, x.keys, keys_of(s, to.log_decay, b));
}

GatedInput from_the_end(const GatedInput& in) {
  return {reversed(in.q), reversed(in.k), reversed(in.log_decay), reversed(in.v)};
}

GatedGradient from_the_end(const GatedGradient& g) {
  return {reversed(g.q), reversed(g.k), reversed(g.log_decay), reversed(g.v)};
}

}  // namespace

std::int64_t gated_state_size(const GatedShape& shape) {
  return std::int64_t{shape.heads} * num::padded(shape.key_width) *
         num::padded(shape.value_width);
}

std::size_t gated_scan_bytes(const GatedShape& shape) {
  return head_groups_bytes<Scratch>(shape.heads, shape.threads, shape);
}

std::size_t gated_scan_backward_bytes(const GatedShape& shape) {
  return bytes_taken([&](Arena& arena) {
    const HeadStates states(shape, arena);
    (void)arena.allocate(
        head_groups_bytes<BackwardScratch>(shape.heads, shape.threads, shape, states));
  });
}

void gated_scan(const GatedShape& shape,
                const GatedInput& in,
                View o,
                std::span<float> state,
                Arena& arena) {
  assert(in.q.cols == shape.heads * shape.key_width && same_shape(in.q, in.k));
  assert(same_shape(in.q, in.log_decay) && same_shape(in.v, o));
  assert(std::ssize(state) >= gated_state_size(shape));
  for_head_groups<Scratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](Scratch& x, int begin, int end) {
        for_blocks(o.rows, begin, end, [&](TokenBlock b) {
          scan_block(shape, in, o, state.data(), x, b);
        });
      },
      shape);
}

void gated_scan_backward(const GatedShape& shape,
                         const GatedInput& in,
                         ConstView d_o,
                         const GatedGradient& gradient,
                         Arena& arena) {
  assert(same_shape(in.v, d_o) && same_shape(in.q, gradient.q));
  const GatedInput last_first = from_the_end(in);
  const ConstView slope = reversed(d_o);
  const GatedGradient to = from_the_end(gradient);
  const std::size_t mark = arena.mark();
  const HeadStates states(shape, arena);
  for_head_groups<BackwardScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](BackwardScratch& x, int begin, int end) {
        for_blocks(d_o.rows, begin, end, [&](TokenBlock b) {
          query_gradient(shape, in, d_o, gradient.q, x, b);
        });
        const std::int64_t each = std::int64_t{x.keys} * x.values;
        std::fill_n(states.transposed + begin * each, (end - begin) * each, 0.0F);
        for_blocks(d_o.rows, begin, end, [&](TokenBlock b) {
          key_gradients(shape, last_first, slope, to, x, b);
          decay_gradients(shape, last_first, to, x, b);
        });
      },
      shape,
      states);
  arena.release(mark);
}

}  // namespace oa::attention
#endif
