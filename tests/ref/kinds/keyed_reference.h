#pragma once

#include "ref/kinds/layer_reference.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace oa::test {

/// Keys and queries as vectors of length 1; keys less their mean, if asked for.
template <class T>
Grid<T> unit_vectors(Grid<T> x, bool centred) {
  for (int c = 0; c < x.cols && centred; ++c) {
    T mean = 0.0;
    for (int i = 0; i < x.rows; ++i) {
      mean += x(i, c) / T(double{1} * x.rows);
    }
    for (int i = 0; i < x.rows; ++i) {
      x(i, c) = x(i, c) - mean;
    }
  }
  for (int i = 0; i < x.rows; ++i) {
    T sum = 1e-5;
    for (int c = 0; c < x.cols; ++c) {
      sum += x(i, c) * x(i, c);
    }
    for (int c = 0; c < x.cols; ++c) {
      x(i, c) = x(i, c) / root(sum);
    }
  }
  return x;
}

/// Even and odd places apart, so that few additions wait for the one before.
inline double sum_of_products(const double* x, const double* y, int count) {
  double even = 0.0;
  double odd = 0.0;
  int i = 0;
  for (; i + 1 < count; i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  return even + odd + (i < count ? x[i] * y[i] : 0.0);
}

/// x = sigmoid(-(Jx + h)/T), one coordinate after the other until none moves.
inline std::vector<double> mean_field(const Grid<double>& j,
                                      const std::vector<double>& h,
                                      double temperature) {
  const auto m = static_cast<int>(std::ssize(h));
  const auto sigmoid = [](double u) { return 1.0 / (1.0 + std::exp(-u)); };
  std::vector<double> u(h.size());
  std::vector<double> x(h.size(), sigmoid(0.0));
  for (int sweep = 0; sweep < 2000; ++sweep) {
    double moved = 0.0;
    for (int a = 0; a < m; ++a) {
      const auto place = static_cast<std::size_t>(a);
      const double* row = &j(a, 0);
      const double others =
          h[place] + sum_of_products(row, x.data(), m) - row[a] * x[place];
      // T u + J_aa sigmoid(u) + others rises with u: Newton's method between bounds.
      double low = -(others + std::max(0.0, j(a, a))) / temperature;
      double high = -others / temperature;
      double at = std::clamp(u[place], low, high);
      for (int k = 0; k < 100; ++k) {
        const double y = sigmoid(at);
        const double f = temperature * at + j(a, a) * y + others;
        (f > 0.0 ? high : low) = at;
        const double next = at - f / (temperature + j(a, a) * y * (1.0 - y));
        const double goal = next > low && next < high ? next : (low + high) / 2.0;
        if (std::abs(goal - at) < 1e-15 * (1.0 + std::abs(at))) {
          break;
        }
        at = goal;
      }
      u[place] = at;
      const double before = std::exchange(x[place], sigmoid(at));
      moved = std::max(moved, std::abs(x[place] - before));
    }
    if (moved < 1e-13) {
      break;
    }
  }
  return x;
}

/// J and the rows h of a head's problems.
struct KeyedProblems {
  Grid<double> j;
  std::vector<std::vector<double>> h;
};

template <class T>
KeyedProblems keyed_problems(const LayerInputs<T>& in, Grid<T> q, Grid<T> k, int head) {
  if (in.text("unit", "true") == "true") {
    q = unit_vectors(q, false);
    k = unit_vectors(k, in.text("centre", "true") == "true" && !in.site.causal);
  }
  const double alpha =
      in.text("alpha", "4") == "0" ? 0.0 : std::exp(value_of(in["log_alpha"](0, head)));
  const double beta = std::exp(value_of(in["log_beta"](0, head)));
  const double penalty = value_of(in["penalty"](0, head));
  const Grid<T> couplings = times_transposed(k, k);
  const Grid<T> likeness = times_transposed(q, k);
  KeyedProblems all{.j = Grid<double>(k.rows, k.rows), .h = {}};
  for (std::size_t a = 0; a < all.j.values.size(); ++a) {
    all.j.values[a] = alpha * value_of(couplings.values[a]);
  }
  for (int i = 0; i < q.rows; ++i) {
    std::vector<double> h;
    for (int c = 0; c < (in.site.causal ? i + 1 : k.rows); ++c) {
      h.push_back(penalty - beta * value_of(likeness(i, c)));
    }
    all.h.push_back(h);
  }
  return all;
}

/// The minimum of 1/2 x'Jx + h'x over [0,1]^m.
std::vector<double> box_minimum(const Grid<double>& j, const std::vector<double>& h);

/// Coefficients of the queries of a head, a row each: what gradients are those of, and
/// what is used.
struct KeyedCoefficients {
  std::vector<std::vector<double>> relaxed;
  std::vector<std::vector<double>> used;
};

inline KeyedCoefficients keyed_coefficients(const attention::Site& site,
                                            const attention::Stage& stage,
                                            const KeyedProblems& problems) {
  const bool binary = site.coefficients == Coefficients::Binary;
  KeyedCoefficients all;
  for (const std::vector<double>& h : problems.h) {
    const auto m = static_cast<int>(std::ssize(h));
    Grid<double> j(m, m);
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b < m; ++b) {
        j(a, b) = problems.j(a, b);
      }
    }
    const auto field = [&] {
      return mean_field(j, h, static_cast<double>(stage.temperature));
    };
    all.used.push_back(stage.relaxed ? field() : box_minimum(j, h));
    all.relaxed.push_back(binary && !stage.relaxed ? field() : all.used.back());
    for (double& x : all.used.back()) {
      x = !binary || stage.relaxed ? x : x > 0.5 ? 1.0 : 0.0;
    }
  }
  return all;
}

/// x'V / max(1, |x|_1), or x'V if it is not capped.  Which of the two divides is
/// decided by `at`.
template <class T>
Grid<T> keyed_rows(const std::vector<std::vector<double>>& x,
                   const std::vector<std::vector<double>>& at,
                   const Grid<T>& v,
                   bool capped = true) {
  const auto sum_of = [](const std::vector<double>& row) {
    double sum = 0.0;
    for (const double value : row) {
      sum += value;
    }
    return sum;
  };
  Grid<T> o(static_cast<int>(std::ssize(x)), v.cols);
  for (int i = 0; i < o.rows; ++i) {
    const auto& row = x[static_cast<std::size_t>(i)];
    const double share = !capped || sum_of(at[static_cast<std::size_t>(i)]) < 1.0
                             ? 1.0
                             : 1.0 / sum_of(row);
    for (int k = 0; k < v.rows; ++k) {
      const auto place = static_cast<std::size_t>(k);
      const T weight = place < row.size() ? share * row[place] : 0.0;
      for (int c = 0; c < v.cols; ++c) {
        multiply_add(weight, v(k, c), o(i, c));
      }
    }
  }
  return o;
}

/// A layer whose coefficients of a head's problems `find` returns: those that are used,
/// and those by which a row is capped.
template <class T, class Find>
Grid<T> keyed_layer(const LayerInputs<T>& in, const Find& find) {
  return multi_head(
      in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int head) {
        const auto mixed = [&](const Grid<T>& asked, const Grid<T>& from, bool capped) {
          const auto [x, at] = find(keyed_coefficients(
              in.site, in.stage, keyed_problems(in, asked, k, head)));
          return keyed_rows(x, at, from, capped);
        };
        const auto read = [&](const Grid<T>& asked) { return mixed(asked, k, false); };
        return mixed(looped_queries(in, q, head, read), v, true);
      });
}

template <class T>
Grid<T> keyed(const LayerInputs<T>& in) {
  return keyed_layer(
      in, [](const KeyedCoefficients& x) { return std::pair(x.used, x.used); });
}

/// Near `base` coefficients move as the relaxed ones do.
inline Grid<double> keyed_slope(const LayerInputs<double>& in,
                                const LayerInputs<double>& base) {
  std::vector<KeyedCoefficients> at_base;
  (void)keyed_layer(base, [&](const KeyedCoefficients& x) {
    at_base.push_back(x);
    return std::pair(x.used, x.used);
  });
  std::size_t next = 0;
  return keyed_layer(in, [&](const KeyedCoefficients& is) {
    const KeyedCoefficients& was = at_base[next++];
    auto x = was.used;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t c = 0; c < x[i].size(); ++c) {
        x[i][c] += is.relaxed[i][c] - was.relaxed[i][c];
      }
    }
    return std::pair(x, was.used);
  });
}

}  // namespace oa::test
