#pragma once

#include "survey/kernel/regression/token_rows.h"
#include "survey/kernel/regression/ttt.h"

#include <algorithm>
#include <type_traits>

namespace oa::attention {

/// Returns the sum of term(j) for j < count, by independent partial sums.
template <class Term>
[[nodiscard]] float row_sum(int count, const Term& term) {
  constexpr int kParts = 16;
  float part[kParts] = {};
  int j = 0;
  for (; j + kParts <= count; j += kParts) {
    for (int l = 0; l < kParts; ++l) {
      part[l] += term(j + l);
    }
  }
  for (; j < count; ++j) {
    part[0] += term(j);
  }
  float sum = 0.0F;
  for (const float some : part) {
    sum += some;
  }
  return sum;
}

/// Returns state number `slot` of a head.
template <class Float>
[[nodiscard]] auto ttt_state(const TttShape& shape,
                             std::span<Float> states,
                             std::int64_t slot,
                             int head) {
  using AnyView = std::conditional_t<std::is_const_v<Float>, num::ConstView, num::View>;
  const int stride = num::padded(shape.width);
  const std::ptrdiff_t size = std::ptrdiff_t{shape.width} * stride;
  return AnyView{states.data() + (slot * shape.heads + head) * size,
                 shape.width,
                 shape.width,
                 stride};
}

/// The initial state of a head.
template <class AnyView>
[[nodiscard]] AnyView ttt_start(const TttShape& shape, AnyView start, int head) {
  return {start.row(head * shape.width), shape.width, shape.width, start.stride};
}

/// A packed batch of a head's tokens (letters as in ttt.h), and a thread's memory.
struct TttBatch : TokenRows {
  TttBatch(const TttShape& shape, Arena& arena);

  /// Reads the tokens of a batch.
  void load(const TttInput& in, const TokenBlock& block);
  /// Computes G at the state S.
  void fit(num::ConstView state);
  /// Computes o at the state S, and y.
  void answer(num::ConstView state);
  /// Subtracts the sum of eta_j k_j G_j' from the state.
  void advance(num::View state);

  /// Computes y = q + LN(o).
  void finish();

  /// Sets pairs_ij = a_i b_j for j <= i, else 0.
  void pair(num::ConstView a, num::ConstView b, num::View pairs) const;

  TttShape shape;
  num::View q, k, v, y;
  num::View unit;    // of S'k: its LN before gain and shift
  num::View error;   // LN(S'k) + k - v
  num::View bent;    // gain o error
  num::View g;       // G
  num::View o;       // S_t' q_t
  num::View o_unit;  // of o
  num::View spare;
  num::View pairs;
  num::View transposed;  // width x batch
  std::span<float> eta;
  std::span<float> rstd;   // of S'k
  std::span<float> along;  // mean of bent o unit
  std::span<float> o_rstd;
  std::span<float> gain;
  std::span<float> shift;
};

/// The tokens of batch i of a head.
[[nodiscard]] inline TokenBlock ttt_batch(const TttShape& shape,
                                          int head,
                                          int i,
                                          int n) {
  const int first = i * shape.batch;
  return {head, first, std::min(shape.batch, n - first)};
}

[[nodiscard]] inline int ttt_batches(const TttShape& shape, int n) {
  return (n + shape.batch - 1) / shape.batch;
}

}  // namespace oa::attention
