#pragma once

#include "ref/kinds/layer_reference.h"
#include "survey/kernel/scan/feature_map.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace oa::test {

/// phi of all rows of q or k of a head.
template <class T>
using Features = std::function<Grid<T>(const Grid<T>& rows)>;

inline double sine(double x) {
  return std::sin(x);
}
inline double cosine(double x) {
  return std::cos(x);
}
inline Counted sine(Counted x) {
  ++Counted::exponentials;
  return std::sin(x.value);
}
inline Counted cosine(Counted x) {
  ++Counted::exponentials;
  return std::cos(x.value);
}

/// o_i = phi(q_i)'S_i / den, S_i and u_i by their recurrence or the sums of all.
/// `least` is the smallest size of a denominator that may be negative, or 0.  `decay`
/// (n x heads, or empty) has what is left of the state before each token; new tokens
/// then weigh 1 - decay.
template <class T>
Grid<T> feature_attention(const Grid<T>& phi_q,
                          const Grid<T>& phi_k,
                          const Grid<T>& v,
                          bool causal,
                          double least,
                          const std::vector<T>& decay,
                          bool shares = true) {
  const int f = phi_q.cols;
  const int d = v.cols;
  Grid<T> o(v.rows, d);
  Grid<T> s(f, d);
  std::vector<T> u(static_cast<std::size_t>(f));
  const auto take_in = [&](int t) {
    const T left = decay.empty() ? T(1.0) : decay[static_cast<std::size_t>(t)];
    const T weight = decay.empty() || !shares ? T(1.0) : T(1.0) - left;
    for (int a = 0; a < f; ++a) {
      u[static_cast<std::size_t>(a)] =
          left * u[static_cast<std::size_t>(a)] + weight * phi_k(t, a);
      for (int c = 0; c < d; ++c) {
        s(a, c) *= left;
        multiply_add(weight * phi_k(t, a), v(t, c), s(a, c));
      }
    }
  };
  const auto give_out = [&](int t) {
    T sum = 0.0;
    for (int a = 0; a < f; ++a) {
      sum += phi_q(t, a) * u[static_cast<std::size_t>(a)];
      for (int c = 0; c < d; ++c) {
        multiply_add(phi_q(t, a), s(a, c), o(t, c));
      }
    }
    const T size = sum < T(0.0) ? -sum : sum;
    const T den = least == 0.0 ? sum + T(1e-6) : size > T(least) ? size : T(least);
    for (int c = 0; c < d; ++c) {
      o(t, c) = o(t, c) / den;
    }
  };
  for (int t = 0; t < v.rows; ++t) {
    take_in(t);
    if (causal) {
      give_out(t);
    }
  }
  for (int t = 0; t < v.rows && !causal; ++t) {
    give_out(t);
  }
  return o;
}

template <class T>
Grid<T> linear(const LayerInputs<T>& in) {
  const std::string feature = in.text("feature", "elu");
  const auto phi = [&](Grid<T> rows) {
    for (T& x : rows.values) {
      const bool above = x > T(0.0);
      if (feature == "elu") {
        const T e = exponential(above ? T(0.0) : x);
        x = (above ? x : T(0.0)) + e;
      } else if (feature == "relu") {
        x = above ? x : T(0.0);
      } else if (feature == "exp") {
        x = exponential(x);
      }
    }
    return rows;
  };
  return multi_head(in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int) {
    return feature_attention<T>(
        phi(q), phi(k), v, in.site.causal, feature == "identity" ? 1e-3 : 0.0, {});
  });
}

/// Directions (d x m) as the kind draws them: that they are normal and orthogonal is
/// tested where they are drawn.
inline num::Matrix directions_of(int d, int m) {
  num::Matrix columns(d, m);
  num::Matrix rows(m, d);
  Rng rng(1);
  Arena arena(static_cast<std::size_t>((d + 2) * d) * sizeof(double) + 256);
  attention::draw_directions(rng, true, columns, rows, arena);
  return columns;
}

/// x (n x d) times directions (d x m)
template <class T>
Grid<T> along(const Grid<T>& x, const num::Matrix& directions) {
  Grid<T> z(x.rows, directions.cols());
  for (int i = 0; i < x.rows; ++i) {
    for (int a = 0; a < z.cols; ++a) {
      for (int c = 0; c < x.cols; ++c) {
        multiply_add(x(i, c), T(static_cast<double>(directions(c, a))), z(i, a));
      }
    }
  }
  return z;
}

/// The reference of the exponents of a head.
template <class T>
struct PerformerReferences {
  std::vector<T> queries;  ///< the largest of each
  std::vector<T> keys;     ///< the largest of all; causal, so far
};

/// `known` has a head's references behind the other's, or is empty and gets them.
/// Gradients take references as constants: they cancel but for the floors.
template <class T>
Grid<T> performer_with(const LayerInputs<T>& in,
                       std::vector<PerformerReferences<T>>& known) {
  const bool finds = known.empty();
  const int d = in.site.dim / in.number("heads", 1);
  int m = in.number("features", 0);
  if (m == 0) {
    m = std::max(16,
                 static_cast<int>(std::ceil(d * std::log(std::max(2, d)) / 16.0)) * 16);
  }
  const num::Matrix w = directions_of(d, m);
  const auto logits = [&](Grid<T> rows) {
    for (T& x : rows.values) {
      x = x * T(std::pow(d, -0.25));
    }
    Grid<T> z = along(rows, w);
    for (int i = 0; i < z.rows; ++i) {
      T square = 0.0;
      for (int c = 0; c < d; ++c) {
        square += rows(i, c) * rows(i, c);
      }
      for (int a = 0; a < m; ++a) {
        z(i, a) -= square * T(0.5);
      }
    }
    return z;
  };
  const auto largest = [&](const Grid<T>& z, int row) {
    T top = z(row, 0);
    for (int a = 1; a < m; ++a) {
      top = z(row, a) > top ? z(row, a) : top;
    }
    return top;
  };
  const auto phi = [&](Grid<T> z, const std::vector<T>& references) {
    for (int i = 0; i < z.rows; ++i) {
      for (int a = 0; a < m; ++a) {
        z(i, a) =
            (exponential(z(i, a) - references[static_cast<std::size_t>(i)]) + T(1e-6)) /
            T(std::sqrt(m));
      }
    }
    return z;
  };
  return multi_head(
      in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int head) {
        const Grid<T> of_queries = logits(q);
        const Grid<T> of_keys = logits(k);
        if (finds) {
          PerformerReferences<T> found;
          for (int i = 0; i < q.rows; ++i) {
            found.queries.push_back(largest(of_queries, i));
            const T top = largest(of_keys, i);
            found.keys.push_back(i > 0 && found.keys.back() > top ? found.keys.back()
                                                                  : top);
          }
          if (!in.site.causal) {
            std::ranges::fill(found.keys, T(found.keys.back()));
          }
          known.push_back(found);
        }
        const auto& [queries, keys] = known[static_cast<std::size_t>(head)];
        std::vector<T> growth;
        for (std::size_t i = 0; in.site.causal && i < keys.size(); ++i) {
          growth.push_back(i == 0 ? T(0.0) : plain_exp(keys[i - 1] - keys[i]));
        }
        return feature_attention<T>(phi(of_queries, queries),
                                    phi(of_keys, keys),
                                    v,
                                    in.site.causal,
                                    0.0,
                                    growth,
                                    false);
      });
}

template <class T>
Grid<T> performer(const LayerInputs<T>& in) {
  std::vector<PerformerReferences<T>> found;
  return performer_with(in, found);
}

inline Grid<double> performer_slope(const LayerInputs<double>& in,
                                    const LayerInputs<double>& base) {
  std::vector<PerformerReferences<double>> found;
  (void)performer_with(base, found);
  return performer_with(in, found);
}

template <class T>
Grid<T> rfa(const LayerInputs<T>& in) {
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  const int m = in.number("features", 64);
  const num::Matrix w = directions_of(d, m);
  const auto phi = [&](Grid<T> rows, int head) {
    for (int i = 0; i < rows.rows; ++i) {
      T square = 0.0;
      for (int c = 0; c < d; ++c) {
        square += rows(i, c) * rows(i, c);
      }
      for (int c = 0; c < d; ++c) {
        rows(i, c) = rows(i, c) / root(square) * in["inverse_sigma"](0, head);
      }
    }
    const Grid<T> z = along(rows, w);
    Grid<T> both(z.rows, 2 * m);
    for (int i = 0; i < z.rows; ++i) {
      for (int a = 0; a < m; ++a) {
        both(i, a) = sine(z(i, a)) / T(std::sqrt(m));
        both(i, m + a) = cosine(z(i, a)) / T(std::sqrt(m));
      }
    }
    return both;
  };
  const Grid<T> logits =
      in.has("Wg.weight") ? mapped(in, "Wg", in.x) : Grid<T>(in.x.rows, heads);
  return multi_head(
      in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int head) {
        std::vector<T> decay;
        for (int t = 0; in.has("Wg.weight") && t < v.rows; ++t) {
          decay.push_back(T(1.0) / (T(1.0) + plain_exp(-logits(t, head))));
        }
        return feature_attention<T>(phi(q, head),
                                    phi(k, head),
                                    v,
                                    in.site.causal,
                                    decay.empty() ? 1.0 : 0.1,
                                    decay);
      });
}

}  // namespace oa::test
