#pragma once

#include "oa/base/rng.h"
#include "ref/plain_attention.h"
#include "survey/kernel/fused/fused.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace oa::test {

/// Heads side by side: random ones, or memory for results.
struct HeadsMemory : Surrounded {
  using Surrounded::Surrounded;
  HeadsMemory(Rng& rng, int rows, int cols) : Surrounded(rows, cols) { draw(rng, 1.0); }
  [[nodiscard]] bool others_untouched() const { return intact(); }
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

/// Attention of one head in doubles.
struct PlainHead {
  std::vector<std::vector<double>> weights;  ///< queries x keys
  std::vector<std::vector<double>> o;
  std::vector<double> log_sums;
};

/// Head h of `heads`; a query keeps the keys whose logits are at least its largest less
/// tau.
[[nodiscard]] inline PlainHead plain_attention(
    const attention::HeadsView& heads,
    const attention::Pattern& pattern,
    int h,
    double tau = std::numeric_limits<double>::infinity()) {
  const PlainHeads plain(heads);
  const int d = plain.width();
  const int g = h * plain.groups / plain.heads;
  PlainHead out;
  for (int i = 0; i < pattern.queries(); ++i) {
    std::vector<double> p;
    double top = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < pattern.keys(); ++j) {
      p.push_back(plain.logit(h, i, j));
      top = pattern.allows(i, j) ? std::max(top, p.back()) : top;
    }
    double sum = 0.0;
    for (int j = 0; j < pattern.keys(); ++j) {
      double& weight = p[static_cast<std::size_t>(j)];
      const bool kept = pattern.allows(i, j) && weight >= top - tau;
      weight = kept ? std::exp(weight - top) : 0.0;
      sum += weight;
    }
    std::vector<double> o(static_cast<std::size_t>(d), 0.0);
    for (int j = 0; j < pattern.keys(); ++j) {
      double& weight = p[static_cast<std::size_t>(j)];
      weight = sum > 0.0 ? weight / sum : 0.0;
      for (int x = 0; x < d && weight > 0.0; ++x) {
        o[static_cast<std::size_t>(x)] += weight * plain.v(j, g * d + x);
      }
    }
    out.weights.push_back(std::move(p));
    out.o.push_back(std::move(o));
    out.log_sums.push_back(top + std::log(sum));
  }
  return out;
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
