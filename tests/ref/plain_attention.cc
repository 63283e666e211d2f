#include "ref/plain_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::test {
namespace {

constexpr int kBefore = 3;  // floats in front of the first row
constexpr int kBehind = 5;  // floats behind the columns

}  // namespace

Surrounded::Surrounded(int rows, int cols)
    : rows_(rows),
      cols_(cols),
      memory_(static_cast<std::size_t>(kBefore + rows * (cols + kBehind)),
              std::numeric_limits<float>::quiet_NaN()) {
  for (int i = 0; i < rows; ++i) {
    std::fill_n(view().row(i), cols, 7.0F);
  }
}

num::View Surrounded::view() {
  return {memory_.data() + kBefore, rows_, cols_, cols_ + kBehind};
}

void Surrounded::draw(Rng& rng, double size) {
  for (int i = 0; i < rows_; ++i) {
    for (int j = 0; j < cols_; ++j) {
      view()(i, j) = static_cast<float>(size * rng.normal());
    }
  }
}

bool Surrounded::intact() const {
  for (int p = 0; p < static_cast<int>(memory_.size()); ++p) {
    const bool around = p < kBefore || (p - kBefore) % (cols_ + kBehind) >= cols_;
    if (around && !std::isnan(memory_[static_cast<std::size_t>(p)])) {
      return false;
    }
  }
  return true;
}

DrawnHeads::DrawnHeads(
    int queries, int keys, int width, int head_count, int group_count, Rng& rng)
    : heads(head_count),
      groups(group_count),
      q(queries, heads * width),
      k(keys, groups * width),
      v(keys, groups * width),
      o(queries, heads * width),
      d_o(queries, heads * width),
      dq(queries, heads * width),
      dk(keys, groups * width),
      dv(keys, groups * width),
      log_sums(heads, queries) {
  q.draw(rng, 1.0);
  k.draw(rng, 1.0);
  v.draw(rng, 1.0);
  d_o.draw(rng, 1.0);
}

attention::HeadsView DrawnHeads::view() {
  const int width = q.view().cols / heads;
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(width)));
  return {q.view(), k.view(), v.view(), heads, groups, scale};
}

attention::HeadsGradient DrawnHeads::gradient() {
  return {dq.view(), dk.view(), dv.view()};
}

bool DrawnHeads::intact() const {
  return o.intact() && dq.intact() && dk.intact() && dv.intact() && log_sums.intact();
}

PlainHeads::PlainHeads(const attention::HeadsView& x)
    : q(plain(x.q)),
      k(plain(x.k)),
      v(plain(x.v)),
      heads(x.heads),
      groups(x.groups),
      scale(static_cast<double>(x.scale)) {}

double PlainHeads::logit(int h, int i, int j) const {
  const int g = h * groups / heads;
  double sum = 0.0;
  for (int c = 0; c < width(); ++c) {
    sum += q(i, h * width() + c) * k(j, g * width() + c);
  }
  return scale * sum;
}

double PlainHeads::log_sum(int h, int i, const Keep& keep) const {
  double top = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < k.rows; ++j) {
    if (keep(h, i, j) != 0.0) {
      top = std::max(top, logit(h, i, j));
    }
  }
  if (std::isinf(top)) {
    return top;
  }
  double sum = 0.0;
  for (int j = 0; j < k.rows; ++j) {
    const double kept = keep(h, i, j);
    if (kept != 0.0) {
      sum += kept * std::exp(logit(h, i, j) - top);
    }
  }
  return top + std::log(sum);
}

Plain PlainHeads::weights(int h, const Keep& keep) const {
  Plain p(q.rows, k.rows);
  for (int i = 0; i < q.rows; ++i) {
    const double by = log_sum(h, i, keep);
    for (int j = 0; j < k.rows; ++j) {
      const double kept = keep(h, i, j);
      p(i, j) = kept == 0.0 ? 0.0 : kept * std::exp(logit(h, i, j) - by);
    }
  }
  return p;
}

Plain PlainHeads::attend(const Keep& keep) const {
  Plain o(q.rows, q.cols);
  for (int h = 0; h < heads; ++h) {
    const Plain p = weights(h, keep);
    const int g = h * groups / heads;
    for (int i = 0; i < q.rows; ++i) {
      for (int j = 0; j < k.rows; ++j) {
        for (int c = 0; p(i, j) != 0.0 && c < width(); ++c) {
          o(i, h * width() + c) += p(i, j) * v(j, g * width() + c);
        }
      }
    }
  }
  return o;
}

double inner(const Plain& a, const Plain& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    sum += a.data[i] * b.data[i];
  }
  return sum;
}

Plain differences(Plain& x, const std::function<double()>& loss) {
  Plain slope(x.rows, x.cols);
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    constexpr double kStep = 1e-5;
    const double value = x.data[i];
    x.data[i] = value + kStep;
    const double above = loss();
    x.data[i] = value - kStep;
    slope.data[i] = (above - loss()) / (2.0 * kStep);
    x.data[i] = value;
  }
  return slope;
}

double distance(num::ConstView fast, const Plain& slow) {
  double most = 0.0;
  for (int i = 0; i < slow.rows; ++i) {
    for (int j = 0; j < slow.cols; ++j) {
      const double apart = std::abs(static_cast<double>(fast(i, j)) - slow(i, j));
      most = std::isnan(apart) ? std::numeric_limits<double>::infinity()
                               : std::max(most, apart);
    }
  }
  return most;
}

}  // namespace oa::test
