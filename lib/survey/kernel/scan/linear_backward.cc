#include "survey/kernel/scan/linear_block.h"
#include "survey/kernel/scan/linear_scan.h"
#include "survey/kernel/scan/state_rows.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// The gradients of every head's state (letters: linear_scan.h) between two blocks.
struct LinearStates {
  LinearStates(const LinearShape& s, int n, Arena& arena)
      : features(feature_width(s.features)),
        values(num::padded(s.value_width)),
        sum(zeroed_floats(s.heads * features, arena)),
        transposed(zeroed_floats(std::int64_t{s.heads} * features * values, arena)),
        state(zeroed_floats(std::int64_t{s.heads} * features * values, arena)),
        gate_sum(zeroed_floats(s.heads, arena)),
        query_products(zeroed_floats(std::int64_t{n} * s.heads, arena)) {}

  [[nodiscard]] float* sum_of(int head) const { return sum + head * features; }
  [[nodiscard]] float* transposed_of(int head) const {
    return transposed + std::int64_t{head} * features * values;
  }
  [[nodiscard]] float* state_of(int head) const {
    return state + std::int64_t{head} * features * values;
  }

  int features;
  int values;
  float* sum;         // u, or the sum of sum_slope phi(q)
  float* transposed;  // values x features
  float* state;       // features x values
  float* gate_sum;
  float* query_products;  // n x heads: phi(q) . d phi(q)
};

struct CausalBackwardScratch : LinearBackwardScratch {
  CausalBackwardScratch(const LinearShape& s, Arena& arena)
      : LinearBackwardScratch(s, arena),
        decays(std::max(features, values), arena) {}

  // Computes the features of a block's keys and queries again.
  void read_both(const LinearShape& s,
                 const LinearInput& in,
                 const LinearOutput& out,
                 const TokenBlock& b) {
    read_queries(s, in, b);
    key.read(block_of(in.k, b, s.key_width), inverse_sigma_of(in, b.head));
    std::array<float, kScanSteps> reference{};
    if (s.features.kind == Feature::Positive) {
      for (int i = 0; i < b.count; ++i) {
        reference[at(i)] = out.reference(b.first + i, b.head);
      }
    }
    key.finish(reference.data());
    pack(block_of(in.v, b, s.value_width), 1.0F, v, values);
  }

  ScalarDecays decays;
};

void add_sigma(const LinearGradient& gradient, int head, double slope) {
  if (!gradient.inverse_sigma.empty()) {
    gradient.inverse_sigma[at(head)] += static_cast<float>(slope);
  }
}

// d phi(q)_t = S_t slope_t + sum_slope_t u_t: the same scan with rows and columns
// exchanged.
void query_block(const LinearShape& s,
                 const LinearInput& in,
                 const LinearOutput& out,
                 ConstView d_o,
                 const LinearGradient& to,
                 const LinearStates& states,
                 CausalBackwardScratch& x,
                 const TokenBlock& b) {
  x.read_both(s, in, out, b);
  x.read_slopes(s, out, d_o, b);
  for (int i = 0; i < b.count; ++i) {
    const int t = b.first + i;
    const bool positive = s.features.kind == Feature::Positive && t > 0;
    const float before = positive ? out.reference(t - 1, b.head) : kNoReference;
    x.decays.logs[at(i)] = log_factor(s, in, out.reference, before, t, b.head);
  }
  x.decays.make(b.count);
  const int f = x.features;
  for (int i = 0; i < b.count; ++i) {
    const float weight = x.decays.grow[at(i)] * key_weight(in, b.first + i, b.head);
    scale_row(x.key.phi() + i * f, weight, x.write + i * f, f);
  }
  outer_scan({.write = x.v,
              .read = x.slope,
              .value = x.write,
              .out = x.d_phi,
              .state = states.transposed_of(b.head),
              .rows = x.values,
              .width = f,
              .segments = x.decays.all(),
              .along = DecayAlong::Columns});
  float* u = states.sum_of(b.head);
  for (int i = 0; i < b.count; ++i) {
    float* row = x.d_phi + i * f;
    step_sum({x.decays.begins[at(i)],
              1.0F,
              x.write + i * f,
              nullptr,
              x.sum_slope[at(i)],
              row},
             u,
             f);
    scale_row(row, x.decays.shrink[at(i)], row, f);
    states.query_products[std::int64_t{b.first + i} * s.heads + b.head] =
        dot_row(x.query.phi() + i * f, row, f);
  }
  scale_row(u, x.decays.last, u, f);
  add_sigma(to, b.head, x.query.backward(x.d_phi, block_of(to.q, b, s.key_width)));
}

// Computes dv_t = U_t' phi(k_t) and d phi(k)_t = U_t v_t + w_t.
// U_t is the sum over tokens from t on of phi(q) slope', w_t that of sum_slope phi(q).
// All views are in reverse order: token t is n-1-t here.
void key_block(const LinearShape& s,
               const LinearInput& in,
               const LinearOutput& out,
               ConstView d_o,
               const LinearGradient& to,
               const LinearStates& states,
               CausalBackwardScratch& x,
               const TokenBlock& b) {
  const int n = in.q.rows;
  x.read_both(s, in, out, b);
  x.read_slopes(s, out, d_o, b);
  for (int i = 0; i < b.count; ++i) {
    const int t = b.first + i;  // its factor belongs to the following token, t - 1 here
    const float before =
        s.features.kind == Feature::Positive ? out.reference(t, b.head) : 0.0F;
    x.decays.logs[at(i)] =
        t == 0 ? 0.0F : log_factor(s, in, out.reference, before, t - 1, b.head);
  }
  x.decays.make(b.count);
  const int f = x.features;
  for (int i = 0; i < b.count; ++i) {
    const float weight = x.decays.shrink[at(i)] * key_weight(in, b.first + i, b.head);
    scale_row(x.key.phi() + i * f, weight, x.read + i * f, f);
    scale_row(x.query.phi() + i * f, x.decays.grow[at(i)], x.write + i * f, f);
  }
  outer_scan({.write = x.write,
              .read = x.read,
              .value = x.slope,
              .out = x.dv,
              .state = states.state_of(b.head),
              .rows = f,
              .width = x.values,
              .segments = x.decays.all(),
              .along = DecayAlong::Rows});
  unpack(x.dv, x.values, block_of(to.v, b, s.value_width));
  outer_scan({.write = x.slope,
              .read = x.v,
              .value = x.write,
              .out = x.d_phi,
              .state = states.transposed_of(b.head),
              .rows = x.values,
              .width = f,
              .segments = x.decays.all(),
              .along = DecayAlong::Columns});
  float* w = states.sum_of(b.head);
  float& gate_sum = states.gate_sum[b.head];
  for (int i = 0; i < b.count; ++i) {
    const int t = b.first + i;
    float* row = x.d_phi + i * f;
    step_sum({x.decays.begins[at(i)],
              x.sum_slope[at(i)],
              x.write + i * f,
              nullptr,
              1.0F,
              row},
             w,
             f);
    scale_row(row, x.decays.shrink[at(i)], row, f);
    const float weight = key_weight(in, t, b.head);
    if (in.gate.data != nullptr) {
      const float product = dot_row(x.key.phi() + i * f, row, f);
      gate_sum += states.query_products[std::int64_t{n - 1 - t} * s.heads + b.head] -
                  weight * product;
      to.gate(t, b.head) = weight * (gate_sum - (1.0F - weight) * product);
      scale_row(row, weight, row, f);
    }
  }
  scale_row(w, x.decays.last, w, f);
  add_sigma(to, b.head, x.key.backward(x.d_phi, block_of(to.k, b, s.key_width)));
}

View backwards(View x) {
  return x.data == nullptr ? x : reversed(x);
}

ConstView backwards(ConstView x) {
  return x.data == nullptr ? x : reversed(x);
}

}  // namespace

void linear_backward_causal(const LinearShape& shape,
                            const LinearInput& in,
                            const LinearOutput& out,
                            ConstView d_o,
                            const LinearGradient& gradient,
                            Arena& arena) {
  const int n = in.q.rows;
  const std::size_t mark = arena.mark();
  const LinearStates states(shape, n, arena);
  const LinearInput in_back{reversed(in.q),
                            reversed(in.k),
                            reversed(in.v),
                            backwards(in.gate),
                            in.inverse_sigma};
  const LinearOutput out_back{
      reversed(out.o), reversed(out.sum), backwards(out.reference)};
  const LinearGradient to_back{reversed(gradient.q),
                               reversed(gradient.k),
                               reversed(gradient.v),
                               backwards(gradient.gate),
                               gradient.inverse_sigma};
  const ConstView slopes = reversed(d_o);
  std::fill(gradient.inverse_sigma.begin(), gradient.inverse_sigma.end(), 0.0F);
  for_head_groups<CausalBackwardScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](CausalBackwardScratch& x, int begin, int end) {
        for_blocks(n, begin, end, [&](TokenBlock b) {
          query_block(shape, in, out, d_o, gradient, states, x, b);
        });
        for (int h = begin; h < end; ++h) {
          std::fill_n(states.sum_of(h), x.features, 0.0F);
          std::fill_n(
              states.transposed_of(h), std::int64_t{x.features} * x.values, 0.0F);
        }
        for_blocks(n, begin, end, [&](TokenBlock b) {
          key_block(shape, in_back, out_back, slopes, to_back, states, x, b);
        });
      },
      shape);
  arena.release(mark);
}

std::size_t linear_backward_causal_scratch_bytes(const LinearShape& shape, int n) {
  return bytes_taken([&](Arena& from) { return LinearStates(shape, n, from); }) +
         head_groups_bytes<CausalBackwardScratch>(shape.heads, shape.threads, shape);
}

}  // namespace oa::attention
