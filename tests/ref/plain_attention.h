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

/// Random queries, keys and values, and memory for the results of kernels.
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

}  // namespace oa::test
