#include "ref/kinds/delta_references.h"
#include "ref/kinds/keyed_reference.h"
#include "ref/kinds/layer_reference.h"
#include "ref/kinds/linear_references.h"
#include "ref/kinds/pattern_text.h"
#include "ref/kinds/recurrent_references.h"
#include "ref/kinds/regression_references.h"
#include "survey/kernel/pattern/patterns.h"
#include "survey/kinds/csr_pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace oa::test {
namespace {

/// Keys count by themselves, by the sigmoid of their logit.  If it is capped, the sum
/// of weights is at most 1.
template <class T, class Allowed>
Grid<T> attend_one_by_one(const Grid<T>& q,
                          const Grid<T>& k,
                          const Grid<T>& v,
                          double scale,
                          T bias,
                          bool capped,
                          Allowed allowed) {
  return weighed(
      q, k, v, scale, allowed, [&](int, const auto&, std::vector<T>& logits) {
        T sum = 0.0;
        for (T& x : logits) {
          x = T(1.0) / (T(1.0) + exponential(-x - bias));
          sum += x;
        }
        for (T& x : logits) {
          x = x / (capped && sum > T(1.0) ? sum : T(1.0));
        }
      });
}

template <class T>
Grid<T> softmax(const LayerInputs<T>& in) {
  const double scale = std::stod(in.text("scale", "1"));
  const auto allowed = [&](int i, int j) { return !in.site.causal || j <= i; };
  const bool sigmoid = in.text("score", "softmax") == "sigmoid";
  return multi_head(
      in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int head) {
        const double share = scale / std::sqrt(q.cols);
        const T bias = in.has("loop_bias") ? in["loop_bias"](0, head) : T(0.0);
        const auto mixed = [&](const Grid<T>& asked, const Grid<T>& from, bool capped) {
          return sigmoid
                     ? attend_one_by_one(asked, k, from, share, bias, capped, allowed)
                     : attend(asked, k, from, share, allowed);
        };
        const auto read = [&](const Grid<T>& asked) { return mixed(asked, k, false); };
        return mixed(looped_queries(in, q, head, read), v, true);
      });
}

/// The number of heads that share keys and values, by default 4.
template <class T>
Grid<T> shared_heads(const LayerInputs<T>& in) {
  attention::Site site = in.site;
  site.options.emplace("heads", "4");
  return softmax(LayerInputs<T>{.site = site, .tensors = in.tensors, .x = in.x});
}

template <class T>
Grid<T> uniform(const LayerInputs<T>& in) {
  const Grid<T> v = mapped(in, "Wv", rows(in.x, 0, in.site.keys(in.x.rows)));
  Grid<T> o(in.site.queries(in.x.rows), v.cols);
  for (int i = 0; i < o.rows; ++i) {
    const double m = in.site.causal ? i + 1 : v.rows;
    for (int c = 0; c < o.cols; ++c) {
      for (int j = 0; j < static_cast<int>(m); ++j) {
        o(i, c) += v(j, c) / T(in.site.divide_output ? m * m : m);
      }
    }
  }
  return o;
}

template <class T>
T gelu(T x) {
  const T u =
      T(std::sqrt(2.0 / 3.14159265358979323846)) * (x + T(0.044715) * x * x * x);
  return x / (T(1.0) + plain_exp(T(-2.0) * u));
}

template <class T>
Grid<T> mlp(const LayerInputs<T>& in) {
  Grid<T> y = mapped(in, "mlp.0", in.x);
  const bool one_map = !in.has("mlp.2.weight");
  for (T& value : y.values) {
    value = !one_map ? gelu(value) : value > T(0.0) ? value : T(0.0);
  }
  return one_map ? y : mapped(in, "mlp.2", y);
}

/// softmax_heads() over the pairs that a rule names, and in causal layers no later key.
template <class T, class Rule>
Grid<T> sparse_heads(const LayerInputs<T>& in, Rule rule) {
  return softmax_heads(
      in, [&](int i, int j) { return (!in.site.causal || j <= i) && rule(i, j); });
}

template <class T>
Grid<T> window(const LayerInputs<T>& in) {
  const int w = in.number("radius", 3);
  return sparse_heads(in, [&](int i, int j) { return std::abs(i - j) <= w; });
}

template <class T>
Grid<T> strided(const LayerInputs<T>& in) {
  const int s = in.number("stride", 7);
  const int w = in.number("radius", 1);
  return sparse_heads(
      in, [&](int i, int j) { return std::abs(i - j) <= w || (i - j) % s == 0; });
}

template <class T>
Grid<T> dilated(const LayerInputs<T>& in) {
  const int r = in.number("dilation", 2);
  const int w = in.number("radius", 3);
  return sparse_heads(
      in, [&](int i, int j) { return std::abs(i - j) <= w * r && (i - j) % r == 0; });
}

template <class T>
Grid<T> sparse_transformer(const LayerInputs<T>& in) {
  const int b = in.number("block", 7);
  const int c = in.number("summary", 1);
  const bool fixed = in.text("form", "fixed") == "fixed";
  return sparse_heads(in, [&](int i, int j) {
    return fixed ? i / b == j / b || j % b >= b - c
                 : std::abs(i - j) <= b || (i - j) % b == 0;
  });
}

template <class T>
Grid<T> csr(const LayerInputs<T>& in) {
  const attention::Pattern pattern = attention::parse_pattern(in.text("rows", ""));
  return sparse_heads(in, [&](int i, int j) { return pattern.allows(i, j); });
}

template <class T>
Grid<T> longformer(const LayerInputs<T>& in) {
  const int w = in.number("radius", 3);
  const int g = in.number("globals", 1);
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  std::vector<Grid<T>> o;
  for (const std::string own : {"", "global."}) {
    const Grid<T> q = mapped(in, own + "Wq", in.x);
    const Grid<T> k = mapped(in, own + "Wk", in.x);
    const Grid<T> v = mapped(in, own + "Wv", in.x);
    const auto allowed = [&](int i, int j) {
      return (!in.site.causal || j <= i) &&
             (own.empty() ? i >= g && (std::abs(i - j) <= w || j < g) : i < g);
    };
    std::vector<Grid<T>> parts;
    for (int head = 0; head < heads; ++head) {
      parts.push_back(attend(columns(q, head * d, d),
                             columns(k, head * d, d),
                             columns(v, head * d, d),
                             1.0 / std::sqrt(d),
                             allowed));
    }
    o.push_back(beside(parts));
  }
  // Queries of the other part see no key, which gives 0.
  for (std::size_t a = 0; a < o[0].values.size(); ++a) {
    o[0].values[a] += o[1].values[a];
  }
  return in.has("Wo.weight") ? mapped(in, "Wo", o[0]) : o[0];
}

/// theta of the pair of blocks, by pair or by distance.
template <class T>
T mask_logit(const LayerInputs<T>& in, int i, int j) {
  const int block = in.number("block", 7);
  const int blocks = (in.site.tokens + block - 1) / block;
  const bool relative = in.text("relative", "false") == "true";
  const int a = i / block;
  const int b = j / block;
  return in["mask"](0, relative ? b - a + blocks - 1 : a * blocks + b);
}

template <class T>
bool mask_sees(const LayerInputs<T>& in, int i, int j) {
  const int block = in.number("block", 7);
  return (!in.site.causal || j <= i) &&
         (i / block == j / block || mask_logit(in, i, j) > T(0.0));
}

template <class T>
Grid<T> learned_mask(const LayerInputs<T>& in) {
  return softmax_heads(in, [&](int i, int j) { return mask_sees(in, i, j); });
}

/// Straight through: a mask that is 0 or 1 at `base` moves as the sigmoid does.  The
/// penalty, whose gradient is added, is not part of what a layer yields.
Grid<double> learned_mask_slope(const LayerInputs<double>& in,
                                const LayerInputs<double>& base) {
  const int block = in.number("block", 7);
  const auto seen = [&](int i, int j) { return !in.site.causal || j <= i; };
  const auto weigh = [&](int i, const std::vector<int>& keys, auto& logits) {
    double sum = 0.0;
    for (std::size_t a = 0; a < keys.size(); ++a) {
      const int j = keys[a];
      double mask = mask_sees(base, i, j) ? 1.0 : 0.0;
      if (i / block != j / block) {
        mask += sigmoid(mask_logit(in, i, j)) - sigmoid(mask_logit(base, i, j));
      }
      logits[a] = mask * std::exp(logits[a]);
      sum += logits[a];
    }
    for (double& weight : logits) {
      weight /= sum;
    }
  };
  return multi_head(in, [&](const auto& q, const auto& k, const auto& v, int) {
    return weighed(q, k, v, 1.0 / std::sqrt(q.cols), seen, weigh);
  });
}

/// Which pairs are drawn is tested where they are drawn.
template <class T>
Grid<T> bigbird(const LayerInputs<T>& in) {
  const attention::Pattern pattern = attention::bigbird_pattern(
      in.x.rows, {.block = in.number("block", 1)}, in.site.causal);
  return sparse_heads(in, [&](int i, int j) { return pattern.allows(i, j); });
}

template <class T>
Grid<T> block_sparse(const LayerInputs<T>& in) {
  const attention::Pattern pattern = attention::block_sparse_pattern(
      in.x.rows, {.block = in.number("block", 16), .density = 0.25}, in.site.causal);
  return sparse_heads(in, [&](int i, int j) { return pattern.allows(i, j); });
}

/// Softmax over the keys that kept(logits) says of those that a query sees.
template <class T, class Kept>
Grid<T> some_keys(const LayerInputs<T>& in, Kept kept) {
  const auto seen = [&](int i, int j) { return !in.site.causal || j <= i; };
  const auto weigh = [&](int, const auto&, std::vector<T>& logits) {
    make_softmax(kept(logits), logits);
  };
  return multi_head(in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int) {
    return weighed(q, k, v, 1.0 / std::sqrt(q.cols), seen, weigh);
  });
}

/// The `keep` largest logits of each query; of equal ones the first.
template <class T>
Grid<T> best_keys(const LayerInputs<T>& in, int keep) {
  return some_keys(in, [&](const std::vector<T>& logits) {
    std::vector<std::size_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    std::vector<bool> kept(logits.size());
    for (std::size_t a = 0; a < order.size() && std::cmp_less(a, keep); ++a) {
      kept[order[a]] = true;
    }
    return kept;
  });
}

/// The logits of each query that are at least its largest less tau.
template <class T>
Grid<T> threshold(const LayerInputs<T>& in) {
  const T tau = std::stod(in.text("tau", "8"));
  return some_keys(in, [&](const std::vector<T>& logits) {
    const T top =
        *std::ranges::max_element(logits, [](const T& a, const T& b) { return a < b; });
    std::vector<bool> kept;
    for (const T& logit : logits) {
      kept.push_back(logit >= top - tau);
    }
    return kept;
  });
}

template <class T>
Grid<T> hard(const LayerInputs<T>& in) {
  return best_keys(in, 1);
}

/// Hard attention with the gradient of softmax: what is hard and the values that
/// softmax weighs are those of `base`.
Grid<double> hard_slope(const LayerInputs<double>& in,
                        const LayerInputs<double>& base) {
  std::vector<std::array<Grid<double>, 3>> at_base;
  (void)multi_head(base, [&](const auto& q, const auto& k, const auto& v, int) {
    at_base.push_back({q, k, v});
    return q;
  });
  return multi_head(in, [&](const auto& q, const auto& k, const auto& v, int head) {
    const auto& [q0, k0, v0] = at_base[static_cast<std::size_t>(head)];
    const double scale = 1.0 / std::sqrt(q.cols);
    const auto seen = [&](int i, int j) { return !in.site.causal || j <= i; };
    const auto is_best = [&](int i, int j) {
      const Grid<double> logits = times_transposed(q0, k0);
      for (int l = 0; l < k0.rows; ++l) {
        if (seen(i, l) && logits(i, l) > logits(i, j)) {
          return false;
        }
      }
      return seen(i, j);
    };
    Grid<double> o = attend(q0, k0, v, scale, is_best);
    const Grid<double> soft = attend(q, k, v0, scale, seen);
    const Grid<double> soft_at_base = attend(q0, k0, v0, scale, seen);
    for (std::size_t a = 0; a < o.values.size(); ++a) {
      o.values[a] += soft.values[a] - soft_at_base.values[a];
    }
    return o;
  });
}

template <class T>
Grid<T> topk(const LayerInputs<T>& in) {
  return best_keys(in, in.number("k", 8));
}

/// The first columns of `mix` times the rows.
template <class T>
Grid<T> mixed_rows(const Grid<T>& mix, const Grid<T>& rows) {
  Grid<T> o(mix.rows, rows.cols);
  for (int i = 0; i < mix.rows; ++i) {
    for (int j = 0; j < rows.rows; ++j) {
      for (int c = 0; c < rows.cols; ++c) {
        multiply_add(mix(i, j), rows(j, c), o(i, c));
      }
    }
  }
  return o;
}

template <class T>
Grid<T> linformer(const LayerInputs<T>& in) {
  return multi_head(in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int) {
    return attend(q,
                  mixed_rows(in["E"], k),
                  mixed_rows(in[in.has("F") ? "F" : "E"], v),
                  1.0 / std::sqrt(q.cols),
                  [](int, int) { return true; });
  });
}

template <class T>
Grid<T> memory(const LayerInputs<T>& in) {
  const auto all = [](int, int) { return true; };
  return multi_head(
      in, [&](const Grid<T>& q, const Grid<T>& k, const Grid<T>& v, int head) {
        const int d = q.cols;
        const double scale = 1.0 / std::sqrt(d);
        const Grid<T> slots = columns(in["slots.value"], head * d, d);
        Grid<T> content =
            attend(columns(in["slots.query"], head * d, d), k, v, scale, all);
        for (std::size_t a = 0; a < content.values.size(); ++a) {
          content.values[a] += slots.values[a];
        }
        return attend(q, columns(in["slots.key"], head * d, d), content, scale, all);
      });
}

template <class T>
Grid<T> identity_qk(const LayerInputs<T>& in) {
  const int heads = in.number("heads", 1);
  const int d = in.site.dim / heads;
  const bool self = in.text("self", "true") == "true";
  const Grid<T> v = in.has("Wv.weight") ? mapped(in, "Wv", in.x) : in.x;
  const auto allowed = [&](int i, int j) {
    return (!in.site.causal || j <= i) && (self || i != j);
  };
  std::vector<Grid<T>> o;
  for (int head = 0; head < heads; ++head) {
    const Grid<T> k = columns(in.x, head * d, d);
    Grid<T> q = k;
    for (T& value : q.values) {
      value = in.has("temperature") ? value * in["temperature"](0, 0) : value;
    }
    o.push_back(attend(q, k, columns(v, head * d, d), 1.0 / std::sqrt(d), allowed));
  }
  const Grid<T> mixed = beside(o);
  return in.has("Wo.weight") ? mapped(in, "Wo", mixed) : mixed;
}

/// The mean of the neighbours, minus the token: tests have grids of 3 columns.
template <class T>
Grid<T> pool(const LayerInputs<T>& in) {
  const int n = in.x.rows;
  const int size = in.number("size", 3);
  const int cols = in.site.grid_cols;
  Grid<T> o(n, in.x.cols);
  for (int i = 0; i < n; ++i) {
    std::vector<int> around;
    for (int j = 0; j < n; ++j) {
      const bool near = in.site.causal ? j <= i && i - j < size
                        : cols == 0    ? std::abs(i - j) <= size / 2
                                       : std::abs(i / cols - j / cols) <= size / 2 &&
                                          std::abs(i % cols - j % cols) <= size / 2;
      if (near) {
        around.push_back(j);
      }
    }
    for (int c = 0; c < o.cols; ++c) {
      for (const int j : around) {
        multiply_add(T(1.0 / static_cast<double>(around.size())), in.x(j, c), o(i, c));
      }
      o(i, c) -= in.x(i, c);
    }
  }
  return o;
}

template <class T>
Grid<T> query(const LayerInputs<T>& in) {
  Grid<T> q = mapped(in, "Wq", in.x);
  for (T& value : q.values) {
    value = value / T(in.site.divide_output ? double{1} * q.rows : 1.0);
  }
  return q;
}

/// Minimises 1/2 x'Jx + h'x over [0,1]^m, coordinate by coordinate, until nothing
/// moves.
template <class T>
std::vector<T> box_minimum(const Grid<T>& j, const std::vector<T>& h) {
  const int m = j.rows;
  std::vector<T> x(h.size());
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double moved = 0.0;
    for (int a = 0; a < m; ++a) {
      T slope = h[static_cast<std::size_t>(a)];
      for (int b = 0; b < m; ++b) {
        slope += j(a, b) * x[static_cast<std::size_t>(b)];
      }
      T& at = x[static_cast<std::size_t>(a)];
      T next = at - slope / j(a, a);
      next = next < T(0.0) ? T(0.0) : next > T(1.0) ? T(1.0) : next;
      const T step = next > at ? next - at : at - next;
      moved = std::max(moved, value_of(step));
      at = next;
    }
    if (moved < 1e-14) {
      break;
    }
  }
  return x;
}

// Continuous coefficients only: their gradients can be checked.
template <class T>
Grid<T> optimizing(const LayerInputs<T>& in) {
  if (in.text("keys", "paper") != "paper") {
    return keyed(in);
  }
  const Grid<T> q = queries_of(in, in.x);
  const Grid<T> v = mapped(in, "Wv", rows(in.x, 0, in.site.keys(in.x.rows)));
  const Grid<T> dots = times_transposed(v, v);
  const Grid<T> fields = times_transposed(q, v);
  Grid<T> o(q.rows, v.cols);
  for (int i = 0; i < q.rows; ++i) {
    const int m = in.site.causal ? i + 1 : v.rows;
    const double scale = in.site.value_scale / m;
    Grid<T> couplings(m, m);
    std::vector<T> h;
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < m; ++k) {
        couplings(j, k) = dots(j, k) * T(2.0 * scale * scale);
      }
      h.push_back(fields(i, j) * T(-2.0 * scale) + T(in.site.lambda / m));
    }
    std::vector<T> x = box_minimum(couplings, h);
    T sum = 1e-10;
    for (const T& value : x) {
      sum += value;
    }
    x.resize(static_cast<std::size_t>(v.rows));
    for (int j = 0; j < v.rows; ++j) {
      for (int c = 0; c < v.cols; ++c) {
        multiply_add(x[static_cast<std::size_t>(j)] / sum, v(j, c), o(i, c));
      }
    }
    if (in.site.divide_output) {
      for (int c = 0; c < v.cols; ++c) {
        o(i, c) = o(i, c) / T(double{1} * m);
      }
    }
  }
  return o;
}

/// That of the paper's layer is the slope of continuous coefficients.
Grid<double> optimizing_slope(const LayerInputs<double>& in,
                              const LayerInputs<double>& base) {
  return in.text("keys", "paper") == "paper" ? optimizing(in) : keyed_slope(in, base);
}

#define OA_REFERENCE(name) reference(#name, &name<double>, &name<Counted>)

constexpr KindReference reference(
    std::string_view name,
    Grid<double> (*plain)(const LayerInputs<double>&),
    Grid<Counted> (*counted)(const LayerInputs<Counted>&)) {
  return {name, plain, counted};
}

constexpr std::array kReferences{
    KindReference{
        "optimizing", &optimizing<double>, &optimizing<Counted>, &optimizing_slope},
    OA_REFERENCE(softmax),
    reference("flash1", &softmax<double>, &softmax<Counted>),
    reference("flash2", &softmax<double>, &softmax<Counted>),
    reference("mqa", &shared_heads<double>, &shared_heads<Counted>),
    reference("gqa", &shared_heads<double>, &shared_heads<Counted>),
    OA_REFERENCE(window),
    OA_REFERENCE(strided),
    OA_REFERENCE(dilated),
    reference("sparse-transformer",
              &sparse_transformer<double>,
              &sparse_transformer<Counted>),
    OA_REFERENCE(bigbird),
    reference("block-sparse", &block_sparse<double>, &block_sparse<Counted>),
    OA_REFERENCE(csr),
    OA_REFERENCE(longformer),
    KindReference{"learned-mask",
                  &learned_mask<double>,
                  &learned_mask<Counted>,
                  &learned_mask_slope},
    OA_REFERENCE(topk),
    OA_REFERENCE(threshold),
    KindReference{"hard", &hard<double>, &hard<Counted>, &hard_slope},
    OA_REFERENCE(linformer),
    OA_REFERENCE(linear),
    KindReference{
        "performer", &performer<double>, &performer<Counted>, &performer_slope},
    OA_REFERENCE(rfa),
    OA_REFERENCE(memory),
    OA_REFERENCE(gla),
    OA_REFERENCE(h3),
    OA_REFERENCE(mamba),
    OA_REFERENCE(delta),
    reference("gated-delta", &delta<double>, &delta<Counted>),
    reference("kda", &delta<double>, &delta<Counted>),
    OA_REFERENCE(ttt),
    OA_REFERENCE(mesa),
    reference("identity-qk", &identity_qk<double>, &identity_qk<Counted>),
    OA_REFERENCE(pool),
    OA_REFERENCE(uniform),
    OA_REFERENCE(mlp),
    OA_REFERENCE(query)};

}  // namespace

std::vector<double> box_minimum(const Grid<double>& j, const std::vector<double>& h) {
  return box_minimum<double>(j, h);
}

std::string usable_spec(const attention::Kind& kind, int tokens) {
  if (kind.name != "csr") {
    return std::string(kind.name);
  }
  return "csr:rows=" +
         test::pattern_text(attention::sparse_fixed_pattern(tokens, 5, 1, true));
}

std::span<const KindReference> kind_references() {
  return kReferences;
}

}  // namespace oa::test
