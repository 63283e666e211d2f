#include "survey/kernel/scan/linear_scan.h"

#include "survey/kernel/scan/linear_block.h"
#include "survey/kernel/scan/state_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// The state of one head.
struct HeadState {
  static std::int64_t size(const LinearShape& s) {
    const std::int64_t f = feature_width(s.features);
    return num::kLane + f + f * num::padded(s.value_width);
  }
  HeadState(const LinearShape& s, std::span<float> all, int head)
      : tokens(all.data() + head * size(s)),
        reference(tokens + 1),
        u(tokens + num::kLane),
        matrix(u + feature_width(s.features)) {}

  float* tokens;
  float* reference;
  float* u;
  float* matrix;
};

struct CausalScratch : LinearScratch {
  CausalScratch(const LinearShape& s, Arena& arena)
      : LinearScratch(s, arena),
        decays(std::max(features, values), arena) {}
  ScalarDecays decays;
  std::int64_t clamps = 0;
};

// Computes the features of keys with running references, and the resulting decays.
void read_keys(const LinearShape& s,
               const LinearInput& in,
               const LinearOutput& out,
               const HeadState& state,
               CausalScratch& x,
               const TokenBlock& b) {
  x.key.read(block_of(in.k, b, s.key_width), inverse_sigma_of(in, b.head));
  std::array<float, kScanSteps> reference{};
  float top = *state.tokens == 0.0F ? kNoReference : *state.reference;
  for (int i = 0; i < b.count; ++i) {
    const float before = top;
    if (s.features.kind == Feature::Positive) {
      top = std::fmax(top, x.key.largest(i));
      out.reference(b.first + i, b.head) = top;
    }
    reference[at(i)] = top;
    x.decays.logs[at(i)] =
        log_factor(s, in, out.reference, before, b.first + i, b.head);
  }
  *state.reference = top;
  *state.tokens = 1.0F;
  x.key.finish(reference.data());
  x.decays.make(b.count);
}

// Writes o = (read S) / den, and the sums.
void divide(const LinearShape& s,
            const LinearOutput& out,
            const float* u_products,
            CausalScratch& x,
            const TokenBlock& b) {
  std::array<float, kScanSteps> shares;
  for (int i = 0; i < b.count; ++i) {
    const float sum = u_products[i];
    out.sum(b.first + i, b.head) = sum;
    x.clamps += s.clamped && std::fabs(sum) < s.epsilon ? 1 : 0;
    shares[at(i)] = 1.0F / denominator(s, sum);
  }
  unpack_scaled(x.o, shares.data(), x.values, block_of(out.o, b, s.value_width));
}

void scan_linear_block(const LinearShape& s,
                       const LinearInput& in,
                       const LinearOutput& out,
                       const HeadState& state,
                       CausalScratch& x,
                       const TokenBlock& b) {
  read_keys(s, in, out, state, x, b);
  x.read_queries(s, in, b);
  pack(block_of(in.v, b, s.value_width), 1.0F, x.v, x.values);
  const int f = x.features;
  // Without decays, features are written unchanged.
  const bool moves = x.decays.used > 0 || in.gate.data != nullptr;
  const float* write = moves ? x.write : x.key.phi();
  const float* read = moves ? x.read : x.query.phi();
  std::array<float, kScanSteps> sums;
  for (int i = 0; i < b.count && moves; ++i) {
    const float weight = x.decays.grow[at(i)] * key_weight(in, b.first + i, b.head);
    scale_row(x.key.phi() + i * f, weight, x.write + i * f, f);
    scale_row(x.query.phi() + i * f, x.decays.shrink[at(i)], x.read + i * f, f);
  }
  for (int i = 0; i < b.count; ++i) {
    sums[at(i)] = step_sum(
        {x.decays.begins[at(i)], 1.0F, write + i * f, read + i * f, 0.0F, nullptr},
        state.u,
        f);
  }
  if (moves) {
    scale_row(state.u, x.decays.last, state.u, f);
  }
  outer_scan({.write = write,
              .read = read,
              .value = x.v,
              .out = x.o,
              .state = state.matrix,
              .rows = f,
              .width = x.values,
              .segments = x.decays.all(),
              .along = DecayAlong::Rows});
  divide(s, out, sums.data(), x, b);
}

}  // namespace

std::int64_t linear_state_size(const LinearShape& shape) {
  return shape.heads * HeadState::size(shape);
}

std::int64_t linear_scan(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         std::span<float> state,
                         Arena& arena) {
  assert(in.q.cols == shape.heads * shape.key_width && same_shape(in.q, in.k));
  assert(same_shape(in.v, out.o) && std::ssize(state) >= linear_state_size(shape));
  std::vector<std::int64_t> clamps(at(shape.heads));
  for_head_groups<CausalScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](CausalScratch& x, int begin, int end) {
        for_blocks(in.q.rows, begin, end, [&](TokenBlock b) {
          const HeadState head(shape, state, b.head);
          scan_linear_block(shape, in, out, head, x, b);
        });
        clamps[at(begin)] = x.clamps;
      },
      shape);
  return std::accumulate(clamps.begin(), clamps.end(), std::int64_t{0});
}

std::size_t linear_scan_scratch_bytes(const LinearShape& shape) {
  return head_groups_bytes<CausalScratch>(shape.heads, shape.threads, shape);
}

}  // namespace oa::attention
