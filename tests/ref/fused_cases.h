#pragma once

#include "oa/base/rng.h"
#include "survey/kernel/fused/fused.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace oa::test {

/// Heads side by side in memory of its own, with `before` and `behind` columns and a
/// row that belong to others: they hold NaN, and must still hold it afterwards.
class HeadsMemory {
 public:
  HeadsMemory(int rows, int cols, int before = 3, int behind = 5)
      : rows_(rows),
        cols_(cols),
        before_(before),
        stride_(before + cols + behind),
        data_(static_cast<std::size_t>((rows + 2) * stride_),
              std::numeric_limits<float>::quiet_NaN()) {}
  HeadsMemory(Rng& rng, int rows, int cols) : HeadsMemory(rows, cols) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) {
        view()(i, j) = static_cast<float>(rng.normal());
      }
    }
  }

  [[nodiscard]] num::View view() {
    return {data_.data() + stride_ + before_, rows_, cols_, stride_};
  }
  [[nodiscard]] bool others_untouched() const {
    int numbers = 0;
    for (const float x : data_) {
      numbers += std::isnan(x) ? 0 : 1;
    }
    return numbers <= rows_ * cols_;
  }

 private:
  int rows_;
  int cols_;
  int before_;
  int stride_;
  std::vector<float> data_;
};

/// A pattern of random runs; some queries see no key.
[[nodiscard]] inline attention::Pattern random_runs(Rng& rng, int queries, int keys) {
  std::vector<std::int64_t> first{0};
  std::vector<attention::Run> runs;
  for (int q = 0; q < queries; ++q) {
    int at = static_cast<int>(rng.below(5)) == 0 ? keys : 0;
    while (at < keys) {
      const int begin = at + static_cast<int>(rng.below(40));
      const int end = std::min(keys, begin + 1 + static_cast<int>(rng.below(150)));
      if (begin < end) {
        runs.push_back({begin, end});
      }
      at = end + 1;
    }
    first.push_back(std::ssize(runs));
  }
  return attention::Pattern::of_runs(keys, std::move(first), std::move(runs));
}

/// Attention of one head in doubles; row i of q is at q(i, .) and so on.
struct PlainHead {
  std::vector<std::vector<double>> weights;  ///< queries x keys
  std::vector<std::vector<double>> o;
  std::vector<double> log_sums;
};

/// `keeps(logit, top)` says whether a key is kept whose query's largest logit is `top`.
template <class Q, class K, class V, class Keep>
PlainHead plain_attention(const Q& q,
                          const K& k,
                          const V& v,
                          int width,
                          double scale,
                          const attention::Pattern& pattern,
                          Keep keeps) {
  PlainHead out;
  for (int i = 0; i < pattern.queries(); ++i) {
    std::vector<double> logits(static_cast<std::size_t>(pattern.keys()), 0.0);
    double top = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < pattern.keys(); ++j) {
      double s = 0.0;
      for (int x = 0; x < width; ++x) {
        s += q(i, x) * k(j, x);
      }
      s *= scale;
      logits[static_cast<std::size_t>(j)] = s;
      if (pattern.allows(i, j)) {
        top = std::max(top, s);
      }
    }
    double sum = 0.0;
    std::vector<double> p(logits.size(), 0.0);
    for (int j = 0; j < pattern.keys(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (pattern.allows(i, j) && keeps(logits[at], top)) {
        p[at] = std::exp(logits[at] - top);
        sum += p[at];
      }
    }
    std::vector<double> o(static_cast<std::size_t>(width), 0.0);
    for (int j = 0; j < pattern.keys(); ++j) {
      auto& weight = p[static_cast<std::size_t>(j)];
      weight = sum > 0.0 ? weight / sum : 0.0;
      for (int x = 0; x < width && weight > 0.0; ++x) {
        o[static_cast<std::size_t>(x)] += weight * v(j, x);
      }
    }
    out.weights.push_back(std::move(p));
    out.o.push_back(std::move(o));
    out.log_sums.push_back(top + std::log(sum));
  }
  return out;
}

/// Head h of `heads`.
[[nodiscard]] inline PlainHead plain_attention(
    const attention::HeadsView& heads,
    const attention::Pattern& pattern,
    int h,
    double tau = std::numeric_limits<double>::infinity()) {
  const int d = heads.width();
  const int g = h * heads.groups / heads.heads;
  const auto at = [d](num::ConstView m, int block) {
    return [=](int i, int x) { return static_cast<double>(m(i, block * d + x)); };
  };
  return plain_attention(
      at(heads.q, h),
      at(heads.k, g),
      at(heads.v, g),
      d,
      static_cast<double>(heads.scale),
      pattern,
      [tau](double logit, double top) { return logit >= top - tau; });
}

/// Gradients of one head, by the formulas of attention, in doubles: of queries, and of
/// keys and values as far as they come from this head.
struct PlainGradients {
  std::vector<std::vector<double>> dq;
  std::vector<std::vector<double>> dk;
  std::vector<std::vector<double>> dv;
};

[[nodiscard]] inline PlainGradients plain_gradients(const attention::HeadsView& heads,
                                                    const attention::Pattern& pattern,
                                                    num::ConstView d_o,
                                                    int h) {
  const PlainHead head = plain_attention(heads, pattern, h);
  const int d = heads.width();
  const int g = h * heads.groups / heads.heads;
  const auto zeros = [d](int rows) {
    return std::vector(static_cast<std::size_t>(rows),
                       std::vector<double>(static_cast<std::size_t>(d), 0.0));
  };
  const auto in = [](num::ConstView m, int i, int j) {
    return static_cast<double>(m(i, j));
  };
  PlainGradients out{
      zeros(pattern.queries()), zeros(pattern.keys()), zeros(pattern.keys())};
  for (int i = 0; i < pattern.queries(); ++i) {
    const auto qi = static_cast<std::size_t>(i);
    double delta = 0.0;
    for (int x = 0; x < d; ++x) {
      delta += head.o[qi][static_cast<std::size_t>(x)] * in(d_o, i, h * d + x);
    }
    for (int j = 0; j < pattern.keys(); ++j) {
      const auto kj = static_cast<std::size_t>(j);
      const double p = head.weights[qi][kj];
      double dp = 0.0;
      for (int x = 0; x < d; ++x) {
        dp += in(d_o, i, h * d + x) * in(heads.v, j, g * d + x);
      }
      const double ds = p * (dp - delta) * static_cast<double>(heads.scale);
      for (int x = 0; x < d; ++x) {
        const auto c = static_cast<std::size_t>(x);
        out.dq[qi][c] += ds * in(heads.k, j, g * d + x);
        out.dk[kj][c] += ds * in(heads.q, i, h * d + x);
        out.dv[kj][c] += p * in(d_o, i, h * d + x);
      }
    }
  }
  return out;
}

}  // namespace oa::test
