#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/rng.h"
#include "ref/plain_model.h"

#include <functional>
#include <vector>

namespace oa::test {

/// A matrix as kernels must take it: its rows begin at odd places, and what lies around
/// its columns is NaN, which must neither count nor be written.
class Surrounded {
 public:
  Surrounded(int rows, int cols);

  [[nodiscard]] num::View view();
  void draw(Rng& rng, double size);

  /// Whether all around the columns is as it was.
  [[nodiscard]] bool intact() const;

 private:
  int rows_;
  int cols_;
  std::vector<float> memory_;
};

/// Queries, keys and values that were drawn, and room for what kernels write.
struct DrawnHeads {
  DrawnHeads(int queries, int keys, int width, int heads, int groups, Rng& rng);

  [[nodiscard]] attention::HeadsView view();
  [[nodiscard]] attention::HeadsGradient gradient();
  [[nodiscard]] bool intact() const;

  int heads;
  int groups;
  Surrounded q, k, v, o, d_o, dq, dk, dv, log_sums;
};

/// How much of key j query i of head h sees: 1 or 0, or what lies between.
using Keep = std::function<double(int h, int i, int j)>;

/// A HeadsView in doubles.
struct PlainHeads {
  explicit PlainHeads(const attention::HeadsView& x);

  Plain q, k, v;
  int heads;
  int groups;
  double scale;

  [[nodiscard]] int width() const { return q.cols / heads; }
  [[nodiscard]] double logit(int h, int i, int j) const;

  /// The weights of head h: keep exp(logit) over its sum, rows of nothing are 0.
  [[nodiscard]] Plain weights(int h, const Keep& keep) const;
  /// log of that sum.
  [[nodiscard]] double log_sum(int h, int i, const Keep& keep) const;
  /// Outputs of all heads.
  [[nodiscard]] Plain attend(const Keep& keep) const;
};

/// sum_ij a_ij b_ij
[[nodiscard]] double inner(const Plain& a, const Plain& b);

/// The gradient of loss() by central differences of the elements of x, one of its
/// members.
[[nodiscard]] Plain differences(Plain& x, const std::function<double()>& loss);

/// The largest |fast - slow|, infinite where one of them is not a number.
[[nodiscard]] double distance(num::ConstView fast, const Plain& slow);

/// The sum of o * d_o over all heads, in doubles: its gradients are those of attention
/// for the gradient d_o of o.  `delta` is added to one element of q, k or v (0, 1, 2).
[[nodiscard]] inline double plain_product(const attention::HeadsView& heads,
                                          const attention::Pattern& pattern,
                                          num::ConstView d_o,
                                          int which,
                                          int row,
                                          int column,
                                          double delta) {
  const int d = heads.width();
  double sum = 0.0;
  for (int h = 0; h < heads.heads; ++h) {
    const int g = h * heads.groups / heads.heads;
    const auto at = [&](num::ConstView m, int block, int number) {
      return [=](int i, int x) {
        const bool moved = number == which && i == row && block * d + x == column;
        return static_cast<double>(m(i, block * d + x)) + (moved ? delta : 0.0);
      };
    };
    const PlainHead head = plain_attention(at(heads.q, h, 0),
                                           at(heads.k, g, 1),
                                           at(heads.v, g, 2),
                                           d,
                                           static_cast<double>(heads.scale),
                                           pattern,
                                           [](double, double) { return true; });
    for (int i = 0; i < pattern.queries(); ++i) {
      for (int x = 0; x < d; ++x) {
        sum += head.o[static_cast<std::size_t>(i)][static_cast<std::size_t>(x)] *
               static_cast<double>(d_o(i, h * d + x));
      }
    }
  }
  return sum;
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
