#pragma once

#include "oa/attention/kind.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Plain versions of the kinds of attention, in double or in numbers that count what is
// done with them: loops over definitions, without regard to speed.

namespace oa::test {

/// A number that counts the multiply-adds and exponentials made with such numbers.
/// What a cost model does not count, plain + - * /, is not counted here.
struct Counted {
  double value = 0.0;

  Counted() = default;
  Counted(double v) : value(v) {}  // NOLINT: as double
  static inline std::int64_t flops = 0;
  static inline std::int64_t exponentials = 0;

  friend Counted operator+(Counted a, Counted b) { return a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return a.value * b.value; }
  friend Counted operator/(Counted a, Counted b) { return a.value / b.value; }
  friend Counted operator-(Counted a) { return -a.value; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
  friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
  friend bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
};

/// sum += a b
inline void multiply_add(double a, double b, double& sum) {
  sum += a * b;
}
inline void multiply_add(Counted a, Counted b, Counted& sum) {
  Counted::flops += 2;
  sum += a * b;
}
/// An exponential that a cost model counts.
inline double exponential(double a) {
  return std::exp(a);
}
inline Counted exponential(Counted a) {
  ++Counted::exponentials;
  return std::exp(a.value);
}
inline double value_of(double x) {
  return x;
}
inline double value_of(Counted x) {
  return x.value;
}

/// An exponential that a cost model does not count, as it grows with the elements only.
template <class T>
T plain_exp(T a) {
  return std::exp(value_of(a));
}
template <class T>
T root(T a) {
  return std::sqrt(value_of(a));
}

template <class T>
struct Grid {
  int rows = 0;
  int cols = 0;
  std::vector<T> values;

  Grid() = default;
  Grid(int r, int c)
      : rows(r),
        cols(c),
        values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}

  T& operator()(int i, int j) { return values[place(i, j)]; }
  const T& operator()(int i, int j) const { return values[place(i, j)]; }

 private:
  [[nodiscard]] std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) +
           static_cast<std::size_t>(j);
  }
};

/// What a layer at `site` works on: a sequence and the tensors it declared, by name,
/// those of rank 1 as one row.
template <class T>
struct LayerInputs {
  const attention::Site& site;
  std::map<std::string, Grid<T>> tensors;
  Grid<T> x;
  attention::Stage stage{};

  [[nodiscard]] bool has(const std::string& name) const {
    return tensors.contains(site.prefix + name);
  }
  [[nodiscard]] const Grid<T>& operator[](const std::string& name) const {
    return tensors.at(site.prefix + name);
  }
  /// The text of an option of the kind, else `otherwise`.
  [[nodiscard]] std::string text(const std::string& name,
                                 const std::string& otherwise) const {
    const auto found = site.options.find(name);
    return found == site.options.end() ? otherwise : found->second;
  }
  [[nodiscard]] int number(const std::string& name, int otherwise) const {
    const std::string said = text(name, "");
    return said.empty() ? otherwise : std::stoi(said);
  }
};

/// x W'
template <class T>
Grid<T> times_transposed(const Grid<T>& x, const Grid<T>& w) {
  Grid<T> y(x.rows, w.rows);
  for (int i = 0; i < x.rows; ++i) {
    for (int o = 0; o < w.rows; ++o) {
      T sum = 0.0;
      for (int k = 0; k < x.cols; ++k) {
        multiply_add(x(i, k), w(o, k), sum);
      }
      y(i, o) = sum;
    }
  }
  return y;
}

template <class T>
void add_bias(const Grid<T>& bias, Grid<T>& y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int o = 0; o < y.cols; ++o) {
      y(i, o) += bias(0, o);
    }
  }
}

template <class T>
void layer_norm(const Grid<T>& gain, const Grid<T>& shift, Grid<T>& y) {
  const T width = static_cast<double>(y.cols);
  for (int i = 0; i < y.rows; ++i) {
    T mean = 0.0;
    T variance = 0.0;
    for (int o = 0; o < y.cols; ++o) {
      mean += y(i, o) / width;
    }
    for (int o = 0; o < y.cols; ++o) {
      variance += (y(i, o) - mean) * (y(i, o) - mean) / width;
    }
    for (int o = 0; o < y.cols; ++o) {
      y(i, o) = (y(i, o) - mean) / root(variance + T(1e-5)) * gain(0, o) + shift(0, o);
    }
  }
}

/// The map `name` of the rows of x, normalised or plain as it was declared.
template <class T>
Grid<T> mapped(const LayerInputs<T>& in, const std::string& name, const Grid<T>& x) {
  if (!in.has(name + ".0.weight")) {
    Grid<T> y = times_transposed(x, in[name + ".weight"]);
    if (in.has(name + ".bias")) {
      add_bias(in[name + ".bias"], y);
    }
    return y;
  }
  Grid<T> y = times_transposed(x, in[name + ".0.weight"]);
  add_bias(in[name + ".0.bias"], y);
  layer_norm(in[name + ".1.weight"], in[name + ".1.bias"], y);
  return y;
}

/// Columns begin .. begin+count-1.
template <class T>
Grid<T> columns(const Grid<T>& all, int begin, int count) {
  Grid<T> some(all.rows, count);
  for (int i = 0; i < all.rows; ++i) {
    for (int j = 0; j < count; ++j) {
      some(i, j) = all(i, begin + j);
    }
  }
  return some;
}

/// The columns that belong to a head, which may be none.
template <class T>
Grid<T> part_of_head(const Grid<T>& all, int head, int heads) {
  const int width = all.cols / heads;
  return columns(all, head * width, width);
}

/// Matrices of as many rows, side by side.
template <class T>
Grid<T> beside(const std::vector<Grid<T>>& parts) {
  int cols = 0;
  for (const Grid<T>& part : parts) {
    cols += part.cols;
  }
  Grid<T> all(parts[0].rows, cols);
  for (int t = 0; t < all.rows; ++t) {
    int to = 0;
    for (const Grid<T>& part : parts) {
      for (int c = 0; c < part.cols; ++c) {
        all(t, to++) = part(t, c);
      }
    }
  }
  return all;
}

/// Rows begin .. begin+count-1.
template <class T>
Grid<T> rows(const Grid<T>& all, int begin, int count) {
  Grid<T> some(count, all.cols);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < all.cols; ++j) {
      some(i, j) = all(begin + i, j);
    }
  }
  return some;
}

/// Learned queries, or the map Wq of query tokens, over the columns that keys see.
template <class T>
Grid<T> queries_of(const LayerInputs<T>& in, const Grid<T>& seen) {
  const int first = in.site.asking > 0 ? in.site.keys(seen.rows) : 0;
  return in.has("queries")
             ? in["queries"]
             : mapped(in, "Wq", rows(seen, first, in.site.queries(seen.rows)));
}

/// Queries, keys and values by the maps Wq, Wk, Wv; core(q, k, v, head) for each head;
/// and the map Wo, if there is one.
template <class T, class Core>
Grid<T> multi_head(const LayerInputs<T>& in, Core core) {
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  const int keys = in.site.keys(in.x.rows);
  const Grid<T> seen = columns(in.x, 0, in.site.seen_by_keys());
  const Grid<T> v = mapped(in, "Wv", rows(in.x, 0, keys));
  Grid<T> q;
  Grid<T> k = v;
  if (in.has("Wqk.weight") || in.has("Wqk.0.weight")) {
    const Grid<T> both = mapped(in, "Wqk", seen);
    q = rows(both, in.site.asking > 0 ? keys : 0, in.site.queries(in.x.rows));
    k = rows(both, 0, keys);
  } else {
    q = queries_of(in, seen);
    if (in.has("Wk.weight") || in.has("Wk.0.weight")) {
      k = mapped(in, "Wk", rows(seen, 0, keys));
    }
  }
  const int groups = k.cols / d;
  std::vector<Grid<T>> o;
  for (int head = 0; head < heads; ++head) {
    const int group = head * groups / heads;
    o.push_back(core(columns(q, head * d, d),
                     columns(k, group * d, d),
                     columns(v, group * d, d),
                     head));
  }
  const Grid<T> mixed = beside(o);
  return in.has("Wo.weight") ? mapped(in, "Wo", mixed) : mixed;
}

/// For each query i the values of the keys that allowed(i, j) says, times what
/// weigh(i, keys, logits) makes of their logits, scale q_i'k_j.
template <class T, class Allowed, class Weigh>
Grid<T> weighed(const Grid<T>& q,
                const Grid<T>& k,
                const Grid<T>& v,
                double scale,
                Allowed allowed,
                Weigh weigh) {
  Grid<T> o(q.rows, v.cols);
  for (int i = 0; i < q.rows; ++i) {
    std::vector<int> seen;
    std::vector<T> weights;
    for (int j = 0; j < k.rows; ++j) {
      if (allowed(i, j)) {
        T dot = 0.0;
        for (int c = 0; c < q.cols; ++c) {
          multiply_add(q(i, c), k(j, c), dot);
        }
        seen.push_back(j);
        weights.push_back(dot * T(scale));
      }
    }
    weigh(i, seen, weights);
    for (std::size_t a = 0; a < seen.size(); ++a) {
      for (int c = 0; c < v.cols && value_of(weights[a]) != 0.0; ++c) {
        multiply_add(weights[a], v(seen[a], c), o(i, c));
      }
    }
  }
  return o;
}

/// Softmax of the logits that are kept; the others become 0.
template <class T>
void make_softmax(const std::vector<bool>& kept, std::vector<T>& logits) {
  T top = std::numeric_limits<double>::lowest();
  for (std::size_t a = 0; a < kept.size(); ++a) {
    top = kept[a] && logits[a] > top ? logits[a] : top;
  }
  T sum = 0.0;
  for (std::size_t a = 0; a < kept.size(); ++a) {
    logits[a] = kept[a] ? exponential(logits[a] - top) : T(0.0);
    sum += logits[a];
  }
  for (T& weight : logits) {
    weight = weight / sum;
  }
}

/// Softmax over the keys that allowed(i, j) says, times values.  A query without keys
/// gets 0.
template <class T, class Allowed>
Grid<T> attend(const Grid<T>& q,
               const Grid<T>& k,
               const Grid<T>& v,
               double scale,
               Allowed allowed) {
  return weighed(q, k, v, scale, allowed, [](int, const auto& seen, auto& logits) {
    make_softmax(std::vector<bool>(seen.size(), true), logits);
  });
}

/// The queries of a head after all loops but the last: `read(q)` reads the keys.
template <class T, class Read>
Grid<T> looped_queries(const LayerInputs<T>& in, Grid<T> q, int head, Read read) {
  const Grid<T> first = q;
  for (int step = 1; step < in.number("loops", 1); ++step) {
    const Grid<T> r = read(q);
    for (std::size_t k = 0; k < q.values.size(); ++k) {
      q.values[k] = in["loop_keep"](0, head) * q.values[k] +
                    in["loop_query"](0, head) * first.values[k] -
                    in["loop_read"](0, head) * r.values[k];
    }
  }
  return q;
}

/// multi_head() with attend() and the usual scale.
template <class T, class Allowed>
Grid<T> softmax_heads(const LayerInputs<T>& in, Allowed allowed) {
  return multi_head(in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int) {
    return attend(q, k, v, 1.0 / std::sqrt(q.cols), allowed);
  });
}

/// A kind's plain version, both ways.
struct KindReference {
  std::string_view name;
  Grid<double> (*plain)(const LayerInputs<double>&);
  Grid<Counted> (*counted)(const LayerInputs<Counted>&);
  /// For a kind whose gradient goes straight through a step: what has this gradient,
  /// near `base`, where both are the same.
  Grid<double> (*slope)(const LayerInputs<double>& in,
                        const LayerInputs<double>& base) = nullptr;
};

[[nodiscard]] std::span<const KindReference> kind_references();

/// The kind's name, with options that it needs.
[[nodiscard]] std::string usable_spec(const attention::Kind& kind, int tokens);

}  // namespace oa::test
