#pragma once

#include "ref/kinds/layer_reference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// Plain versions of kinds that are causal by nature: their recurrences, token by token.

namespace oa::test {

template <class T>
Grid<T> last_row_first(const Grid<T>& x) {
  Grid<T> y(x.rows, x.cols);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; ++j) {
      y(i, j) = x(x.rows - 1 - i, j);
    }
  }
  return y;
}

/// read(x), or, where a site is not causal, its mean with what it makes of x from the
/// last token on.  What it costs is in `read`.
template <class T, class Read>
Grid<T> mean_of_readings(const LayerInputs<T>& in, const Grid<T>& x, Read read) {
  Grid<T> y = read(x);
  if (!in.site.causal) {
    const Grid<T> other = last_row_first(read(last_row_first(x)));
    for (std::size_t i = 0; i < y.values.size(); ++i) {
      y.values[i] = (y.values[i] + other.values[i]) * T(0.5);
    }
  }
  return y;
}

template <class T>
T sigmoid(T x) {
  return T(1.0) / (T(1.0) + plain_exp(-x));
}

template <class T>
T log_of(T x) {
  return std::log(value_of(x));
}
template <class T>
T plain_sine(T x) {
  return std::sin(value_of(x));
}
template <class T>
T plain_cosine(T x) {
  return std::cos(value_of(x));
}

template <class T>
T softplus(T x) {
  return log_of(T(1.0) + plain_exp(x));
}

template <class T>
void multiply_silu(const Grid<T>& z, Grid<T>& y) {
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    y.values[i] *= z.values[i] * sigmoid(z.values[i]);
  }
}

/// y_t = bias + sum_l filter(l) x_{t-l}, with zeros before the first token
template <class T>
Grid<T> convolved(const Grid<T>& x, const Grid<T>& filter) {
  Grid<T> y(x.rows, x.cols);
  for (int t = 0; t < x.rows; ++t) {
    for (int c = 0; c < x.cols; ++c) {
      for (int l = 0; l < filter.rows; ++l) {
        multiply_add(filter(l, c), t < l ? T(0.0) : x(t - l, c), y(t, c));
      }
    }
  }
  return y;
}

/// A decay.  Chunks take the exponentials of its logarithm and of the negative one.
template <class T>
T decay_of(T log) {
  (void)exponential(-log);
  return exponential(log);
}

/// Each head of each row divided by its length, or by the root of the mean of squares.
template <class T>
void make_unit(int heads, bool mean, Grid<T>& x) {
  const int d = x.cols / heads;
  for (int i = 0; i < x.rows; ++i) {
    for (int h = 0; h < heads; ++h) {
      T square = 1e-5;
      for (int c = h * d; c < (h + 1) * d; ++c) {
        square += x(i, c) * x(i, c) / T(mean ? d : 1);
      }
      for (int c = h * d; c < (h + 1) * d; ++c) {
        x(i, c) = x(i, c) / root(square);
      }
    }
  }
}

/// y_t = S_t'q_t, where S_t is the decayed S_(t-1) and k_t u', u = write(t, state).
/// log_decay has no column, one, or one for each of k.
template <class T, class Write>
Grid<T> state_reading(const Grid<T>& q,
                      const Grid<T>& k,
                      const Grid<T>& log_decay,
                      int width,
                      Write write) {
  Grid<T> state(k.cols, width);
  Grid<T> y(k.rows, width);
  for (int t = 0; t < y.rows; ++t) {
    for (int i = 0; i < log_decay.cols; ++i) {
      const T decay = decay_of(log_decay(t, i));
      for (int row = 0; row < state.rows; ++row) {
        for (int j = 0; j < state.cols; ++j) {
          state(row, j) *= log_decay.cols == 1 || row == i ? decay : T(1.0);
        }
      }
    }
    const std::vector<T> u = write(t, state);
    for (int i = 0; i < state.rows; ++i) {
      for (int j = 0; j < state.cols; ++j) {
        multiply_add(k(t, i), u[static_cast<std::size_t>(j)], state(i, j));
        multiply_add(q(t, i), state(i, j), y(t, j));
      }
    }
  }
  return y;
}

/// One reading of a head of gla, divided by its root mean square.
template <class T>
Grid<T> gla_reading(Grid<T> q,
                    const Grid<T>& k,
                    const Grid<T>& log_decay,
                    const Grid<T>& v) {
  for (T& value : q.values) {
    value *= 1.0 / std::sqrt(q.cols);
  }
  Grid<T> y = state_reading(q, k, log_decay, v.cols, [&](int t, const auto& /*state*/) {
    return rows(v, t, 1).values;
  });
  make_unit(1, true, y);
  return y;
}

template <class T>
Grid<T> gla(const LayerInputs<T>& in) {
  const int heads = in.number("heads", 1);
  const int d_v = in.site.dim / heads;
  const int d_k = d_v / 2;
  Grid<T> log_decay = mapped(in, "Wa.1", mapped(in, "Wa.0", in.x));
  for (T& value : log_decay.values) {
    value = -softplus(-value) / T(16.0);
  }
  const Grid<T> q = mapped(in, "Wq", in.x);
  const Grid<T> k = mapped(in, "Wk", in.x);
  const Grid<T> v = mapped(in, "Wv", in.x);
  std::vector<Grid<T>> o;
  for (int head = 0; head < heads; ++head) {
    // Side by side, so that one reading of a head turns them all.
    const Grid<T> parts = beside(std::vector{part_of_head(q, head, heads),
                                             part_of_head(k, head, heads),
                                             part_of_head(log_decay, head, heads),
                                             part_of_head(v, head, heads)});
    o.push_back(mean_of_readings(in, parts, [&](const Grid<T>& x) {
      return gla_reading(columns(x, 0, d_k),
                         columns(x, d_k, d_k),
                         columns(x, 2 * d_k, d_k),
                         columns(x, 3 * d_k, d_v));
    }));
  }
  Grid<T> mixed = beside(o);
  for (int i = 0; i < mixed.rows; ++i) {
    for (int j = 0; j < mixed.cols; ++j) {
      mixed(i, j) *= in["head_norm.weight"](0, j);
    }
  }
  multiply_silu(mapped(in, "Wg", in.x), mixed);
  return mapped(in, "Wo", mixed);
}

/// The output of the diagonal model of h3 for one channel of a head.
template <class T>
std::vector<T> h3_channel(const LayerInputs<T>& in, int head, const std::vector<T>& p) {
  const Grid<T>& log_decay = in["log_decay"];
  const int heads = log_decay.cols;
  const double step = static_cast<float>(1e-3 * std::pow(100.0, (head + 0.5) / heads));
  std::vector<T> y(p.size());
  for (int j = 0; j < log_decay.rows; ++j) {
    const T size = plain_exp(-plain_exp(log_decay(j, head)) * T(step));
    const T angle = in["frequency"](j, head) * T(step);
    const T pole_re = size * plain_cosine(angle);
    const T pole_im = size * plain_sine(angle);
    T re = 0.0;
    T im = 0.0;
    for (std::size_t t = 0; t < p.size(); ++t) {
      T next_re = p[t];
      T next_im = 0.0;
      multiply_add(pole_re, re, next_re);
      multiply_add(-pole_im, im, next_re);
      multiply_add(pole_re, im, next_im);
      multiply_add(pole_im, re, next_im);
      re = next_re;
      im = next_im;
      multiply_add(T(2.0) * in["C.re"](j, head), re, y[t]);
      multiply_add(T(-2.0) * in["C.im"](j, head), im, y[t]);
    }
  }
  for (std::size_t t = 0; t < p.size(); ++t) {
    multiply_add(in["skip"](0, head), p[t], y[t]);
  }
  return y;
}

/// One reading of h3, channel (head, i, j) beside channel: keys and values side by side
/// in x.
template <class T>
Grid<T> h3_reading(const LayerInputs<T>& in, int width, const Grid<T>& x) {
  const int dim = in.site.dim;
  const Grid<T> k = convolved(columns(x, 0, dim), in["shift.weight"]);
  Grid<T> s(x.rows, dim * width);
  for (int c = 0; c < s.cols; ++c) {
    const int key = c / width;
    const int head = key / width;
    std::vector<T> p;
    for (int t = 0; t < x.rows; ++t) {
      p.push_back(k(t, key) * x(t, dim + head * width + c % width));
    }
    const std::vector<T> y = h3_channel(in, head, p);
    for (int t = 0; t < x.rows; ++t) {
      s(t, c) = y[static_cast<std::size_t>(t)];
    }
  }
  return s;
}

template <class T>
Grid<T> h3(const LayerInputs<T>& in) {
  const int dim = in.site.dim;
  const int width = in.number("head_dim", 1);
  const Grid<T> q = mapped(in, "Wq", in.x);
  const Grid<T> both =
      beside(std::vector{mapped(in, "Wk", in.x), mapped(in, "Wv", in.x)});
  const Grid<T> s = mean_of_readings(
      in, both, [&](const Grid<T>& x) { return h3_reading(in, width, x); });
  Grid<T> mixed(q.rows, dim);
  for (int t = 0; t < q.rows; ++t) {
    for (int c = 0; c < s.cols; ++c) {
      const int key = c / width;
      multiply_add(q(t, key), s(t, c), mixed(t, key / width * width + c % width));
    }
  }
  return mapped(in, "Wo", mixed);
}

/// One reading of mamba: y from the inner map u.
template <class T>
Grid<T> mamba_reading(const LayerInputs<T>& in, const Grid<T>& u) {
  Grid<T> x = convolved(u, in["conv.weight"]);
  add_bias(in["conv.bias"], x);
  for (T& value : x.values) {
    value *= sigmoid(value);
  }
  const Grid<T> dt = mapped(in, "Wdt", mapped(in, "Wr", x));
  const Grid<T> b = mapped(in, "Wb", x);
  const Grid<T> c = mapped(in, "Wc", x);
  Grid<T> y(x.rows, x.cols);
  for (int e = 0; e < x.cols; ++e) {
    std::vector<T> h(static_cast<std::size_t>(b.cols));
    for (int t = 0; t < x.rows; ++t) {
      const T step = softplus(dt(t, e));
      for (int j = 0; j < b.cols; ++j) {
        T exponent = 0.0;
        multiply_add(step, -plain_exp(in["log_a"](j, e)), exponent);
        T& state = h[static_cast<std::size_t>(j)];
        state *= exponential(exponent);
        multiply_add(step * x(t, e), b(t, j), state);
        multiply_add(state, c(t, j), y(t, e));
      }
      multiply_add(in["skip"](0, e), x(t, e), y(t, e));
    }
  }
  return y;
}

template <class T>
Grid<T> mamba(const LayerInputs<T>& in) {
  Grid<T> y = mean_of_readings(in, mapped(in, "Win", in.x), [&](const Grid<T>& u) {
    return mamba_reading(in, u);
  });
  multiply_silu(mapped(in, "Wz", in.x), y);
  return mapped(in, "Wout", y);
}

}  // namespace oa::test
