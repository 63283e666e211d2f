#pragma once

#include "ref/kinds/regression_references.h"

// Plain versions of kinds that correct a state by the delta rule, token by token.

namespace oa::test {

/// What one head knows of its tokens, one row each.
template <class T>
struct DeltaHead {
  Grid<T> q, k, v;
  Grid<T> strength;   // logits of the step
  Grid<T> log_decay;  // no column, one, or one for each of k
};

/// y of one head.
template <class T>
Grid<T> delta_reading(const DeltaHead<T>& head) {
  const auto correction = [&](int t, const Grid<T>& state) {
    std::vector<T> u = rows(head.v, t, 1).values;
    for (int j = 0; j < state.cols; ++j) {
      T& error = u[static_cast<std::size_t>(j)];
      for (int i = 0; i < state.rows; ++i) {
        multiply_add(-head.k(t, i), state(i, j), error);
      }
      error *= sigmoid(head.strength(t, 0));
    }
    return u;
  };
  const Grid<T> y =
      state_reading(head.q, head.k, head.log_decay, head.v.cols, correction);
  if constexpr (std::is_same_v<T, Counted>) {
    // Products of pairs of tokens of a chunk, and the triangular solve.
    Counted::flops += std::int64_t{6} * y.rows * std::min(y.rows, 32) * y.cols;
  }
  return y;
}

/// Convolution and SiLU of tokens.
template <class T>
Grid<T> delta_mixed(const LayerInputs<T>& in, const char* name, const Grid<T>& x) {
  Grid<T> y = convolved(x, in[std::string(name) + ".conv"]);
  for (T& value : y.values) {
    value *= sigmoid(value);
  }
  return y;
}

/// One reading of all heads of tokens, which are maps side by side.
template <class T>
Grid<T> delta_heads(const LayerInputs<T>& in,
                    const Grid<T>& x,
                    int strengths,
                    int decays) {
  const int heads = in.number("heads", 1);
  const int dim = in.site.dim;
  Grid<T> q = delta_mixed(in, "Wq", columns(x, 0, dim));
  Grid<T> k = delta_mixed(in, "Wk", columns(x, dim, dim));
  const Grid<T> v = delta_mixed(in, "Wv", columns(x, 2 * dim, dim));
  make_unit(heads, false, q);
  make_unit(heads, false, k);
  std::vector<Grid<T>> y;
  for (int h = 0; h < heads; ++h) {
    const DeltaHead<T> head{
        .q = part_of_head(q, h, heads),
        .k = part_of_head(k, h, heads),
        .v = part_of_head(v, h, heads),
        .strength = part_of_head(columns(x, 3 * dim, strengths), h, heads),
        .log_decay = part_of_head(columns(x, 3 * dim + strengths, decays), h, heads)};
    y.push_back(delta_reading(head));
  }
  return beside(y);
}

/// delta, gated-delta and kda: their tensors say which.
template <class T>
Grid<T> delta(const LayerInputs<T>& in) {
  const Grid<T> strength = mapped(in, "Wb", in.x);
  Grid<T> log_decay(in.x.rows, 0);
  if (in.has("Wa.weight")) {
    log_decay = mapped(in, "Wa", in.x);
  } else if (in.has("Wa.0.weight")) {
    const Grid<T> low = times_transposed(in.x, in["Wa.0.weight"]);
    log_decay = mapped(in, "Wa.1", low);
  }
  for (T& value : log_decay.values) {
    value = -softplus(-value);
  }
  const Grid<T> all = beside(std::vector<Grid<T>>{mapped(in, "Wq", in.x),
                                                  mapped(in, "Wk", in.x),
                                                  mapped(in, "Wv", in.x),
                                                  strength,
                                                  log_decay});
  return gated_output(in, mean_of_readings(in, all, [&](const Grid<T>& x) {
                        return delta_heads(in, x, strength.cols, log_decay.cols);
                      }));
}

}  // namespace oa::test
