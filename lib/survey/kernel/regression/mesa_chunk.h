#pragma once

#include "survey/kernel/regression/conjugate_rows.h"
#include "survey/kernel/regression/mesa.h"
#include "survey/kernel/regression/token_rows.h"

#include <array>
#include <type_traits>

namespace oa::attention {

/// H and S of a head.
template <class AnyView>
struct MesaState {
  AnyView h;
  AnyView s;
};

/// Returns state number `slot` of a head.
template <class Float>
[[nodiscard]] auto mesa_state(const MesaShape& shape,
                              std::span<Float> states,
                              std::int64_t slot,
                              int head) {
  using AnyView = std::conditional_t<std::is_const_v<Float>, num::ConstView, num::View>;
  const int stride = num::padded(shape.width);
  const std::ptrdiff_t size = std::ptrdiff_t{shape.width} * stride;
  Float* h = states.data() + (slot * shape.heads + head) * 2 * size;
  return MesaState<AnyView>{{h, shape.width, shape.width, stride},
                            {h + size, shape.width, shape.width, stride}};
}

/// A packed chunk of a head's tokens (letters as in mesa.h), and a thread's memory.
struct MesaChunk : TokenRows {
  using State = MesaState<num::ConstView>;

  MesaChunk(const MesaShape& shape, Arena& arena);

  /// Reads the tokens of a block.
  void load(const MesaInput& in, const TokenBlock& block);

  /// Solves x_i = (H_i + L)^-1 y_i.  `before` is the state before the chunk (null:
  /// zeros), or the state of all tokens if the layer is not causal.
  void solve(const State* before, num::ConstView y, num::View x);
  /// Sets row i of `to` to H_i x_i.
  void multiply(const State* before, num::ConstView x, num::View to);
  /// Sets row i of `to` to S_i' x_i.
  void read(const State* before, num::ConstView x, num::View to);

  /// Sets `to` to the state after the chunk; `to` may be `before`.
  void advance(const State* before, const MesaState<num::View>& to);

  /// Sets pairs_ij to a_i b_j N_ij for tokens of the chunk; `transposed` is b'.
  void pair(num::ConstView a, num::ConstView transposed, num::View pairs) const;

  MesaShape shape;
  num::View q, k, v;
  num::View kb;  // b_j k_j
  num::View vb;  // b_j v_j
  num::View k_transposed;
  num::View decay;  // N
  std::array<float, kScanSteps> b{};
  std::array<float, kScanSteps> since{};  // decay from the start of the chunk
  std::array<float, kScanSteps> until{};  // decay to its end
  std::span<float> ridge;

 private:
  void set_decays(const MesaInput& in, const TokenBlock& block);
  /// Sets row i of `to` to M_i' x_i.  M_i is the decayed sum of `before` and,
  /// if causal, of k_j inputs_j' for the tokens j of the chunk up to i.
  /// Without data, `before` is 0.
  void apply(num::ConstView before,
             num::ConstView x,
             num::ConstView inputs,
             num::View to);

  num::View residual_;
  num::View direction_;
  std::array<float, kScanSteps> squares_{};
  std::array<float, kScanSteps> limits_{};
  num::View product_;
  num::View carried_;
  num::View pairs_;
};

}  // namespace oa::attention
