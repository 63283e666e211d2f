#include "oa/num/box/search.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::num {
namespace {

constexpr int kMaxSweeps = 1000;
constexpr double kStill = 1e-14;        // smaller moves are rounding
constexpr double kNoCurvature = 1e-30;  // below: only the gradient's sign counts

double goal_of(double x, double g, double curvature) {
  if (curvature > kNoCurvature) {
    return std::clamp(x - g / curvature, 0.0, 1.0);
  }
  return g > 0.0 ? 0.0 : g < 0.0 ? 1.0 : x;
}

}  // namespace

BoxSearch::BoxSearch(std::size_t n, std::span<const double> j)
    : n_(n),
      j_(j.begin(), j.end()),
      g_(n) {
  assert(j.size() == n * n);
}

bool BoxSearch::solve(std::span<const double> h, std::span<double> x) {
  assert(h.size() == n_ && x.size() == n_);
  for (double& value : x) {
    value = value > 0.0 ? std::min(value, 1.0) : 0.0;  // NaN begins at 0
  }
  double before = 2.0;
  look_at(h, x);
  for (int s = 0; s < kMaxSweeps; ++s) {
    const double moved = sweep(x);
    // Where rounding errors exceed kStill, stops when small moves no longer shrink.
    if (moved <= kStill || (moved < 1e-11 && moved >= before)) {
      return true;
    }
    before = moved;
    while (go_inside(x)) {
      look_at(h, x);
    }
    look_at(h, x);
  }
  return false;
}

void BoxSearch::look_at(std::span<const double> h, std::span<const double> x) {
  std::ranges::copy(h, g_.begin());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; x[i] != 0.0 && k < n_; ++k) {
      g_[k] += j_[i * n_ + k] * x[i];
    }
  }
}

/// Moves each coordinate to the minimum along its axis; returns the longest move.
double BoxSearch::sweep(std::span<double> x) {
  double longest = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double goal = goal_of(x[i], g_[i], j_[i * n_ + i]);
    const double move = goal - x[i];
    if (move == 0.0) {
      continue;
    }
    longest = std::max(longest, std::abs(move));
    x[i] = goal;
    for (std::size_t k = 0; k < n_; ++k) {
      g_[k] += j_[i * n_ + k] * move;
    }
  }
  return longest;
}

/// Moves the coordinates inside the box toward their joint minimum.  Returns true if a
/// coordinate reached a bound, so that another sweep may move the rest.
bool BoxSearch::go_inside(std::span<double> x) {
  inside_.clear();
  step_.assign(n_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    if (x[i] > 0.0 && x[i] < 1.0) {
      inside_.push_back(static_cast<int>(i));
      step_[i] = -g_[i];
    }
  }
  if (inside_.empty()) {
    return false;
  }
  solver_.solve(
      inside_, [&](int a, int b) { return j_[at(a) * n_ + at(b)]; }, std::span(step_));
  double length = 1.0;
  for (const int k : inside_) {
    const double step = step_[at(k)];
    const double room = step > 0.0 ? 1.0 - x[at(k)] : -x[at(k)];
    if (step != 0.0 && room / step < length) {
      length = room / step;
    }
  }
  bool reached = false;
  for (const int k : inside_) {
    double& value = x[at(k)];
    const double step = step_[at(k)];
    const double room = step > 0.0 ? 1.0 - value : -value;
    if (step != 0.0 && room / step <= length) {
      value = step > 0.0 ? 1.0 : 0.0;
      reached = reached || length < 1.0;
    } else {
      value += length * step;
    }
  }
  return reached;
}

}  // namespace oa::num
