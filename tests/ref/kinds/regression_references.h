#pragma once

#include "ref/kinds/recurrent_references.h"

#include <algorithm>
#include <type_traits>
#include <utility>

// Plain versions of kinds that fit values to keys by least squares.

namespace oa::test {

/// Solves a system of equations by elimination with pivots.
template <class T>
std::vector<T> solved(Grid<T> a, std::vector<T> y) {
  const int n = a.rows;
  const auto size = [](T x) { return x < T(0.0) ? -x : x; };
  const auto item = [&](int i) -> T& { return y[static_cast<std::size_t>(i)]; };
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c + 1; i < n; ++i) {
      pivot = size(a(i, c)) > size(a(pivot, c)) ? i : pivot;
    }
    for (int j = 0; j < n; ++j) {
      std::swap(a(c, j), a(pivot, j));
    }
    std::swap(item(c), item(pivot));
    for (int i = c + 1; i < n; ++i) {
      const T share = a(i, c) / a(c, c);
      for (int j = c; j < n; ++j) {
        a(i, j) -= share * a(c, j);
      }
      item(i) -= share * item(c);
    }
  }
  for (int c = n - 1; c >= 0; --c) {
    for (int j = c + 1; j < n; ++j) {
      item(c) -= a(c, j) * item(j);
    }
    item(c) = item(c) / a(c, c);
  }
  return y;
}

/// Queries or keys of unit length; in causal layers after a convolution and SiLU.
template <class T>
Grid<T> unit_map(const LayerInputs<T>& in, const std::string& name) {
  Grid<T> y = mapped(in, name, in.x);
  if (in.site.causal) {
    y = convolved(y, in[name + ".conv"]);
    for (T& value : y.values) {
      value *= sigmoid(value);
    }
  }
  make_unit(in.number("heads", 1), false, y);
  return y;
}

/// RMSNorm of each head, gate and output map.
template <class T>
Grid<T> gated_output(const LayerInputs<T>& in, Grid<T> y) {
  make_unit(in.number("heads", 1), true, y);
  for (int i = 0; i < y.rows; ++i) {
    for (int c = 0; c < y.cols; ++c) {
      y(i, c) *= in["head_norm.weight"](0, c);
    }
  }
  multiply_silu(mapped(in, "Wg", in.x), y);
  return mapped(in, "Wo", y);
}

/// H and S of a head of mesa.
template <class T>
struct MesaSums {
  Grid<T> h;
  Grid<T> s;

  void decay(T gate) {
    for (T& value : h.values) {
      value *= gate;
    }
    for (T& value : s.values) {
      value *= gate;
    }
  }
  void add(const Grid<T>& k, const Grid<T>& v, int t, T b) {
    for (int i = 0; i < h.rows; ++i) {
      for (int j = 0; j < h.cols; ++j) {
        multiply_add(b * k(t, i), k(t, j), h(i, j));
        multiply_add(b * k(t, i), v(t, j), s(i, j));
      }
    }
  }
  /// S'(H + L)^-1 q
  std::vector<T> answer(const Grid<T>& ridge,
                        int first,
                        const Grid<T>& q,
                        int t) const {
    Grid<T> a = h;
    std::vector<T> z;
    for (int i = 0; i < h.rows; ++i) {
      a(i, i) += ridge(0, first + i);
      z.push_back(q(t, i));
    }
    z = solved(a, z);
    std::vector<T> y(z.size());
    for (int i = 0; i < s.rows; ++i) {
      for (int j = 0; j < s.cols; ++j) {
        multiply_add(
            z[static_cast<std::size_t>(i)], s(i, j), y[static_cast<std::size_t>(j)]);
      }
    }
    return y;
  }
};

/// What conjugate gradients cost: for each step and in the end a product of H, of a
/// causal layer by pairs of tokens of a chunk, which the tests' sequences are.
inline void count_mesa(const LayerInputs<Counted>& in, int steps) {
  const std::int64_t n = in.x.rows;
  const std::int64_t heads = in.number("heads", 1);
  const std::int64_t d = in.site.dim / heads;
  Counted::flops +=
      heads * (steps + 1) * (in.site.causal ? 4 * n * n * d : 2 * n * d * d);
}

template <class T>
Grid<T> mesa(const LayerInputs<T>& in) {
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  const int n = in.x.rows;
  const Grid<T> q = unit_map(in, "Wq");
  const Grid<T> k = unit_map(in, "Wk");
  const Grid<T> v = mapped(in, "Wv", in.x);
  const Grid<T> b = mapped(in, "Wb", in.x);
  const Grid<T> gate = in.site.causal ? mapped(in, "Wa", in.x) : b;
  Grid<T> ridge = in["ridge"];
  for (T& value : ridge.values) {
    value = T(0.25) + softplus(value);
  }
  const std::int64_t before = Counted::flops;
  Grid<T> y(n, in.site.dim);
  for (int head = 0; head < heads; ++head) {
    const Grid<T> own_q = columns(q, head * d, d);
    const Grid<T> own_k = columns(k, head * d, d);
    const Grid<T> own_v = columns(v, head * d, d);
    MesaSums<T> sums{Grid<T>(d, d), Grid<T>(d, d)};
    const auto take_in = [&](int t) { sums.add(own_k, own_v, t, sigmoid(b(t, head))); };
    for (int t = 0; t < n && !in.site.causal; ++t) {
      take_in(t);
    }
    for (int t = 0; t < n; ++t) {
      if (in.site.causal) {
        sums.decay(sigmoid(gate(t, head)));
        take_in(t);
      }
      const std::vector<T> o = sums.answer(ridge, head * d, own_q, t);
      for (int c = 0; c < d; ++c) {
        y(t, head * d + c) = o[static_cast<std::size_t>(c)];
      }
    }
  }
  if constexpr (std::is_same_v<T, Counted>) {
    Counted::flops =
        before + (in.site.causal ? 0 : 4 * n * d * std::int64_t{in.site.dim});
    count_mesa(in, in.number("steps", 30));
  }
  return gated_output(in, y);
}

/// LN of S'x of a head.
template <class T>
struct TttNorm {
  std::vector<T> unit;
  T rstd = 0.0;

  TttNorm(const Grid<T>& s, const Grid<T>& x, int t) {
    const T width = static_cast<double>(s.cols);
    T mean = 0.0;
    for (int c = 0; c < s.cols; ++c) {
      unit.emplace_back(0.0);
      for (int i = 0; i < s.rows; ++i) {
        multiply_add(s(i, c), x(t, i), unit.back());
      }
      mean += unit.back() / width;
    }
    T square = 1e-5;
    for (T& value : unit) {
      value -= mean;
      square += value * value / width;
    }
    rstd = T(1.0) / root(square);
    for (T& value : unit) {
      value *= rstd;
    }
  }
};

/// One reading of a head of ttt, token by token.
template <class T>
Grid<T> ttt_reading(const LayerInputs<T>& in,
                    int first,
                    const Grid<T>& q,
                    const Grid<T>& k,
                    const Grid<T>& v,
                    const Grid<T>& eta) {
  const int d = q.cols;
  const T width = static_cast<double>(d);
  const int batch = in.number("batch", 16);
  const auto gain = [&](int c) { return in["inner_norm.weight"](0, first + c); };
  const auto shift = [&](int c) { return in["inner_norm.bias"](0, first + c); };
  Grid<T> now = rows(in["start"], first, d);
  Grid<T> found = now;
  Grid<T> y(q.rows, d);
  for (int t = 0; t < q.rows; ++t) {
    if (t % batch == 0) {
      found = now;
    }
    const TttNorm<T> fit(found, k, t);
    std::vector<T> h;
    T mean = 0.0;
    T along = 0.0;
    for (int c = 0; c < d; ++c) {
      const T unit = fit.unit[static_cast<std::size_t>(c)];
      h.push_back(gain(c) * (gain(c) * unit + shift(c) + k(t, c) - v(t, c)));
      mean += h.back() / width;
      along += h.back() * unit / width;
    }
    for (int c = 0; c < d; ++c) {
      const std::size_t at = static_cast<std::size_t>(c);
      const T slope = fit.rstd * (h[at] - mean - along * fit.unit[at]);
      for (int i = 0; i < d; ++i) {
        now(i, c) -= sigmoid(eta(t, 0)) * k(t, i) * slope;
      }
    }
    const TttNorm<T> answer(now, q, t);
    for (int c = 0; c < d; ++c) {
      y(t, c) = q(t, c) + gain(c) * answer.unit[static_cast<std::size_t>(c)] + shift(c);
    }
  }
  return y;
}

template <class T>
Grid<T> ttt(const LayerInputs<T>& in) {
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  const Grid<T> q = unit_map(in, "Wq");
  const Grid<T> k = unit_map(in, "Wk");
  const Grid<T> v = mapped(in, "Wv", in.x);
  const Grid<T> eta = mapped(in, "We", in.x);
  const std::int64_t before = Counted::flops;
  std::vector<Grid<T>> o;
  for (int head = 0; head < heads; ++head) {
    // Side by side, so that one reading of a head turns them all.
    const Grid<T> parts = beside(std::vector{part_of_head(q, head, heads),
                                             part_of_head(k, head, heads),
                                             part_of_head(v, head, heads),
                                             part_of_head(eta, head, heads)});
    o.push_back(mean_of_readings(in, parts, [&](const Grid<T>& x) {
      return ttt_reading(in,
                         head * d,
                         columns(x, 0, d),
                         columns(x, d, d),
                         columns(x, 2 * d, d),
                         columns(x, 3 * d, 1));
    }));
  }
  if constexpr (std::is_same_v<T, Counted>) {
    // The dual form: pairs of tokens of a batch in the place of states.
    Counted::flops = before;
    const int batch = in.number("batch", 16);
    for (int first = 0; first < in.x.rows; first += batch) {
      const std::int64_t c = std::min(batch, in.x.rows - first);
      const bool last = first + batch >= in.x.rows;
      Counted::flops +=
          (in.site.causal ? 1 : 2) * in.site.dim * ((last ? 4 : 6) * c * d + 4 * c * c);
    }
  }
  return gated_output(in, beside(o));
}

}  // namespace oa::test
