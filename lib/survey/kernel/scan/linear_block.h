#pragma once

#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/feature_map.h"
#include "survey/kernel/scan/linear_scan.h"
#include "survey/kernel/scan/outer_scan.h"
#include "survey/kernel/scan/packing.h"
#include "survey/kernel/scan/scalar_decays.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Blocks of tokens of one head, with letters as in linear_scan.h.

/// Returns the part of a view that has a block's head and tokens.
template <class AnyView>
[[nodiscard]] AnyView block_of(AnyView x, const TokenBlock& b, int width) {
  return row_block(columns(x, b.head * width, width), b.first, b.count);
}

[[nodiscard]] inline float inverse_sigma_of(const LinearInput& in, int head) {
  return in.inverse_sigma.empty() ? 1.0F : in.inverse_sigma[at(head)];
}

/// den(sum) of linear_scan.h, and its derivative.
[[nodiscard]] inline float denominator(const LinearShape& s, float sum) {
  return s.clamped ? std::fmax(std::fabs(sum), s.epsilon) : sum + s.epsilon;
}
[[nodiscard]] inline float denominator_slope(const LinearShape& s, float sum) {
  if (!s.clamped) {
    return 1.0F;
  }
  return std::fabs(sum) > s.epsilon ? std::copysign(1.0F, sum) : 0.0F;
}

/// The reference before any key: exp(kNoReference - r) is 0 for every r.
inline constexpr float kNoReference = -1e30F;

/// The logarithm of the factor of the state at token t:
/// from the token's gate, and from the reference, which grew from `before`.
[[nodiscard]] float log_factor(const LinearShape& s,
                               const LinearInput& in,
                               num::ConstView reference,
                               float before,
                               int t,
                               int head);

/// The weight of a key besides its features: 1 - gate.
[[nodiscard]] float key_weight(const LinearInput& in, int t, int head);

/// A thread's memory for a block.
struct LinearScratch {
  LinearScratch(const LinearShape& s, Arena& arena)
      : features(feature_width(s.features)),
        values(num::padded(s.value_width)),
        query(s.features, arena),
        key(s.features, arena),
        v(zeroed_floats(kScanSteps * values, arena)),
        o(zeroed_floats(kScanSteps * values, arena)),
        write(zeroed_floats(kScanSteps * features, arena)),
        read(zeroed_floats(kScanSteps * features, arena)) {}

  /// Computes phi of queries, each relative to its largest logit.
  void read_queries(const LinearShape& s, const LinearInput& in, const TokenBlock& b) {
    query.read(block_of(in.q, b, s.key_width), inverse_sigma_of(in, b.head));
    std::array<float, kScanSteps> reference{};
    for (int i = 0; i < b.count; ++i) {
      reference[at(i)] = query.largest(i);
    }
    query.finish(reference.data());
  }

  int features;
  int values;
  FeatureBlock query;
  FeatureBlock key;
  float* v;
  float* o;
  float* write;
  float* read;
};

/// A thread's memory for gradients.
struct LinearBackwardScratch : LinearScratch {
  LinearBackwardScratch(const LinearShape& s, Arena& arena)
      : LinearScratch(s, arena),
        d_phi(zeroed_floats(kScanSteps * features, arena)),
        dv(zeroed_floats(kScanSteps * values, arena)),
        slope(zeroed_floats(kScanSteps * values, arena)) {}

  /// Computes slope_i = do_i / den_i and sum_slope_i = -(slope_i . o_i) den'(sum_i).
  void read_slopes(const LinearShape& s,
                   const LinearOutput& out,
                   num::ConstView d_o,
                   const TokenBlock& b) {
    pack(block_of(d_o, b, s.value_width), 1.0F, slope, values);
    pack(block_of(num::ConstView(out.o), b, s.value_width), 1.0F, o, values);
    for (int i = 0; i < b.count; ++i) {
      const float sum = out.sum(b.first + i, b.head);
      const float share = 1.0F / denominator(s, sum);
      float product = 0.0F;
      for (int j = i * values; j < (i + 1) * values; ++j) {
        slope[j] *= share;
        product += slope[j] * o[j];
      }
      sum_slope[at(i)] = -product * denominator_slope(s, sum);
    }
  }

  float* d_phi;
  float* dv;
  float* slope;
  std::array<float, kScanSteps> sum_slope{};
};

/// Like linear_backward(), but only for causal shapes.
void linear_backward_causal(const LinearShape& shape,
                            const LinearInput& in,
                            const LinearOutput& out,
                            num::ConstView d_o,
                            const LinearGradient& gradient,
                            Arena& arena);

/// The bytes that linear_scan() and linear_backward_causal() take from their arena.
[[nodiscard]] std::size_t linear_scan_scratch_bytes(const LinearShape& shape);
[[nodiscard]] std::size_t linear_backward_causal_scratch_bytes(const LinearShape& shape,
                                                               int n);

}  // namespace oa::attention
