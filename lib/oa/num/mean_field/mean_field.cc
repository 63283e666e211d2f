#include "oa/num/mean_field/mean_field.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;

// Functions on rows of `cols` numbers, padded with zeros.

/// Returns true if |a_k - b_k| > tolerance for some k.
HWY_ATTR bool rows_differ(const float* a, const float* b, int cols, float tolerance) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto most = hn::Zero(d);
  for (int k = 0; k < cols; k += lanes) {
    const auto apart = hn::AbsDiff(hn::Load(d, a + k), hn::Load(d, b + k));
    // NaN does not count as a difference: no step would help.
    most = hn::IfThenElse(hn::Gt(apart, most), apart, most);
  }
  return hn::GetLane(hn::MaxOfLanes(d, most)) > tolerance;
}

/// Sets to = a - b.
HWY_ATTR void subtract_row(const float* a, const float* b, int cols, float* to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int k = 0; k < cols; k += lanes) {
    hn::Store(hn::Sub(hn::Load(d, a + k), hn::Load(d, b + k)), d, to + k);
  }
}

/// Returns the sum of (g - p) S d, with S = root^2.
HWY_ATTR float slope_of_row(
    const float* g, const float* p, const float* root, const float* along, int cols) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int k = 0; k < cols; k += lanes) {
    const auto scale = hn::Load(d, root + k);
    const auto left = hn::Sub(hn::Load(d, g + k), hn::Load(d, p + k));
    const auto share = hn::Mul(hn::Mul(scale, scale), hn::Load(d, along + k));
    sum = hn::MulAdd(left, share, sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// direction = r + jdx, p += direction, with jdx = -`product`.  Returns sum r dx.
HWY_ATTR float step_row(const float* r,
                        const float* dx,
                        const float* product,
                        int cols,
                        float* direction,
                        float* p) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int k = 0; k < cols; k += lanes) {
    const auto left = hn::Load(d, r + k);
    sum = hn::MulAdd(left, hn::Load(d, dx + k), sum);
    const auto change = hn::Sub(left, hn::Load(d, product + k));
    hn::Store(change, d, direction + k);
    hn::Store(hn::Add(hn::Load(d, p + k), change), d, p + k);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "oa/num/activation.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

namespace oa::num {
namespace {

HWY_EXPORT(rows_differ);
HWY_EXPORT(subtract_row);
HWY_EXPORT(slope_of_row);
HWY_EXPORT(step_row);

constexpr int kMaxSteps = 40;
constexpr float kLoose = 0.05F;  // tolerance before the final temperature
// Newton's method converges from any start at temperatures above kEasy J_kk;
// cooling leads to lower temperatures.
constexpr float kEasy = 0.07F;
constexpr float kCooling = 0.4F;
constexpr float kWarmer = 8.0F;  // raises the start temperature after a failure
constexpr int kMaxBegins = 5;
// The maximum number of columns of a large J: V'x is faster to compute than x.
constexpr int kMaxColumns = 16;
constexpr ScaledCg::Limits kNewton{.tolerance = 0.05F, .iterations = 30};
constexpr float kShortestStep = 1.0F / 1024.0F;

}  // namespace

struct MeanField::Block {
  View x;
  View g;
  View p;
  View d;
  View r;
  View root;
  View next;
  View other;
};

MeanField::MeanField(int n, int m, Arena& arena)
    : rows_(rows_of_block(n)),
      field_(zeros(rows_, m, arena)),
      direction_(zeros(rows_, m, arena)),
      residual_(zeros(rows_, m, arena)),
      root_(zeros(rows_, m, arena)),
      next_(zeros(rows_, m, arena)),
      other_(zeros(rows_, m, arena)),
      between_(room_between(rows_, m, arena)),
      newton_(rows_, m, arena),
      low_rank_(m, arena),
      open_(static_cast<std::size_t>(rows_)),
      length_(zeros(rows_, arena)),
      descent_(zeros(rows_, arena)) {}

void MeanField::solve(const Gram& j,
                      ConstView h,
                      bool causal,
                      float temperature,
                      float tolerance,
                      View x,
                      View g) {
  assert(same_shape(h, x) && same_shape(h, g) && h.cols == j.j.rows);
  float stiffest = 0.0F;
  for (int k = 0; k < j.j.rows; ++k) {
    stiffest = std::max(stiffest, j.j(k, k));
  }
  // Guards against endless cooling if values are not finite.
  const float easy = kEasy * stiffest;
  const float warmest = std::isfinite(easy) ? std::max(temperature, easy) : temperature;
  const float nearest = std::max(tolerance, kNearest);
  const bool by_columns = LowRankMeanField::fits(j);
  const bool few_columns = by_columns && j.low_rank() && j.factor.cols <= kMaxColumns;
  const int begins = few_columns ? 0 : by_columns ? 1 : kMaxBegins;
  if (causal) {
    fill(x, 0.0F);
    copy(h, g);
  }
  for (int first = 0; first < h.rows; first += rows_) {
    const int count = std::min(rows_, h.rows - first);
    const int m = causal ? std::min(h.cols, padded(first + count)) : h.cols;
    const auto part = [&](auto all, int from) {
      all.data = all.row(from);
      all.rows = count;
      all.cols = m;
      return all;
    };
    const Block at{.x = part(x, first),
                   .g = part(g, first),
                   .p = part(field_, 0),
                   .d = part(direction_, 0),
                   .r = part(residual_, 0),
                   .root = part(root_, 0),
                   .next = part(next_, 0),
                   .other = part(other_, 0)};
    const ConstView fields = part(h, first);
    const Gram seen = j.top(m);
    // Larger eigenvalues of J need a higher start temperature.
    bool near = false;
    open_.assign(open_.size(), true);
    float start = warmest;
    for (int k = 0; !near && k < begins && std::isfinite(start); ++k) {
      begin(fields, at);
      for (float t = start; t > temperature; t = std::max(temperature, kCooling * t)) {
        solve_block(seen, fields, t, kLoose, at);
        scale(at.p, std::max(temperature / t, kCooling));  // x does not change
      }
      near = solve_block(seen, fields, temperature, nearest, at);
      start *= kWarmer;
    }
    for (int i = 0; by_columns && !near && i < count; ++i) {
      if (!open_[static_cast<std::size_t>(i)]) {
        continue;
      }
      const auto row = [&](auto all) {
        all.data = all.row(i);
        all.rows = 1;
        return all;
      };
      low_rank_.solve(
          seen, row(fields), temperature, stiffest, nearest, row(at.x), row(at.g));
    }
  }
}

void MeanField::begin(ConstView h, const Block& at) {
  // x starts near 0 where h is large, and at 1/2 where h is negative.
  for (int i = 0; i < h.rows; ++i) {
    for (int k = 0; k < h.cols; ++k) {
      at.p(i, k) = std::max(h(i, k), 0.0F);
    }
  }
}

bool MeanField::solve_block(
    const Gram& j, ConstView h, float temperature, float tolerance, const Block& at) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(h.rows); ++row) {
    length_[row] = 0.0F;
  }
  for (int k = 0; k < kMaxSteps; ++k) {
    logistic(at.p, temperature, at.x, at.root);
    copy(h, at.g);
    multiply_add(at.x, j, between_, at.g);
    logistic(at.g, temperature, at.next);
    bool open = false;
    for (int i = 0; i < h.rows; ++i) {
      const bool row = prepare(at, tolerance, i);
      open_[static_cast<std::size_t>(i)] = row;
      open = row || open;
    }
    if (!open) {
      copy(at.next, at.x);
      return true;
    }
    step(j, at);
  }
  bool near = true;
  for (int i = 0; i < h.rows; ++i) {
    near = near && !HWY_DYNAMIC_DISPATCH(rows_differ)(
                       at.x.row(i), at.next.row(i), at.x.cols, kLoose);
  }
  logistic(at.g, temperature, at.x);
  return near;
}

bool MeanField::prepare(const Block& at, float tolerance, int i) {
  const auto row = static_cast<std::size_t>(i);
  const bool open = HWY_DYNAMIC_DISPATCH(rows_differ)(
      at.x.row(i), at.next.row(i), at.x.cols, tolerance);
  const bool shorter = open && shorten(at, i);
  if (open && !shorter) {
    HWY_DYNAMIC_DISPATCH(subtract_row)
    (at.g.row(i), at.p.row(i), at.r.cols, at.r.row(i));
  } else {
    std::fill_n(at.r.row(i), at.r.cols, 0.0F);
  }
  if (!shorter) {
    length_[row] = 0.0F;
  }
  return open;
}

bool MeanField::shorten(const Block& at, int i) {
  const auto row = static_cast<std::size_t>(i);
  if (length_[row] <= kShortestStep) {
    return false;
  }
  const float slope = -HWY_DYNAMIC_DISPATCH(slope_of_row)(
      at.g.row(i), at.p.row(i), at.root.row(i), at.d.row(i), at.d.cols);
  if (slope <= 0.7F * descent_[row]) {
    return false;
  }
  // The step length at which a linear slope reaches 0.
  const float goal =
      length_[row] * std::max(0.1F, descent_[row] / (descent_[row] + slope));
  for (int k = 0; k < at.d.cols; ++k) {
    at.p(i, k) -= (length_[row] - goal) * at.d(i, k);
  }
  length_[row] = goal;
  return true;
}

void MeanField::step(const Gram& j, const Block& at) {
  newton_.solve_block(j, at.root, at.r, kNewton, at.next, at.other);
  for (int i = 0; i < at.p.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (length_[row] > 0.0F) {
      continue;  // shorten() set the step
    }
    descent_[row] = HWY_DYNAMIC_DISPATCH(step_row)(at.r.row(i),
                                                   at.next.row(i),
                                                   at.other.row(i),
                                                   at.p.cols,
                                                   at.d.row(i),
                                                   at.p.row(i));
    length_[row] = 1.0F;
  }
}

}  // namespace oa::num
#endif
