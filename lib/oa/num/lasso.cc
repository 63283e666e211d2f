#include "oa/num/lasso.h"

#include "oa/num/cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::num {

LassoSearch::LassoSearch(std::size_t n, std::span<const double> j)
    : n_(n),
      j_(j.begin(), j.end()),
      g_(n) {
  assert(j.size() == n * n);
}

bool LassoSearch::solve(std::span<const double> h,
                        double penalty,
                        std::span<double> x) {
  assert(h.size() == n_ && x.size() == n_);
  double size = penalty;
  for (const double value : h) {
    size = std::max(size, std::abs(value));
  }
  const double tolerance = 1e-10 * size;
  for (std::size_t step = 0; step < 20 * n_ + 20; ++step) {
    look_at(h, x);
    if (settled(penalty, tolerance) && !admit(penalty, tolerance, x)) {
      return true;
    }
    if (!move(penalty, x)) {
      return false;
    }
  }
  return false;
}

/// Computes the gradient and the support at x.
void LassoSearch::look_at(std::span<const double> h, std::span<const double> x) {
  std::ranges::copy(h, g_.begin());
  support_.clear();
  sign_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    if (x[i] == 0.0) {
      continue;
    }
    support_.push_back(i);
    sign_.push_back(x[i] > 0.0 ? 1.0 : -1.0);
    for (std::size_t k = 0; k < n_; ++k) {
      g_[k] += j_[i * n_ + k] * x[i];
    }
  }
}

/// True if the support is at its minimum.
bool LassoSearch::settled(double penalty, double tolerance) const {
  for (std::size_t s = 0; s < support_.size(); ++s) {
    if (std::abs(g_[support_[s]] + penalty * sign_[s]) > tolerance) {
      return false;
    }
  }
  return true;
}

/// Adds the zero coordinate with the largest gain to the support; false if none gains.
bool LassoSearch::admit(double penalty, double tolerance, std::span<const double> x) {
  std::size_t best = n_;
  double gain = tolerance;
  for (std::size_t i = 0; i < n_; ++i) {
    if (x[i] == 0.0 && std::abs(g_[i]) - penalty > gain) {
      best = i;
      gain = std::abs(g_[i]) - penalty;
    }
  }
  if (best == n_) {
    return false;
  }
  support_.push_back(best);
  sign_.push_back(g_[best] > 0.0 ? -1.0 : 1.0);
  return true;
}

/// Moves x toward the minimum of the support with constant signs:
/// to the lowest point among the minimum and the points where a coordinate becomes 0.
bool LassoSearch::move(double penalty, std::span<double> x) {
  const std::size_t k = support_.size();
  // Adds a curvature just above the rounding errors of a float J,
  // so that flat directions also give long steps.  Later steps correct the error.
  double ridge = 0.0;
  for (const std::size_t i : support_) {
    ridge = std::max(ridge, 1e-6 * j_[i * n_ + i]);
  }
  matrix_.clear();
  step_.clear();
  for (std::size_t a = 0; a < k; ++a) {
    step_.push_back(-g_[support_[a]] - penalty * sign_[a]);
    for (std::size_t b = 0; b < k; ++b) {
      matrix_.push_back(j_[support_[a] * n_ + support_[b]] + (a == b ? ridge : 0.0));
    }
  }
  cholesky_solve(matrix_, step_);
  slope_ = 0.0;
  curvature_ = 0.0;
  for (std::size_t a = 0; a < k; ++a) {
    slope_ += (g_[support_[a]] + penalty * sign_[a]) * step_[a];
    for (std::size_t b = 0; b < k; ++b) {
      curvature_ += step_[a] * step_[b] * j_[support_[a] * n_ + support_[b]];
    }
  }
  double best = 1.0;
  double lowest = change(penalty, 1.0, x);
  std::size_t zero = k;
  for (std::size_t a = 0; a < k; ++a) {
    const double from = x[support_[a]];
    if (from * (from + step_[a]) >= 0.0) {
      continue;
    }
    const double t = -from / step_[a];
    const double value = change(penalty, t, x);
    if (value < lowest) {
      best = t;
      lowest = value;
      zero = a;
    }
  }
  if (!(lowest < 0.0)) {
    return false;
  }
  for (std::size_t a = 0; a < k; ++a) {
    x[support_[a]] = a == zero ? 0.0 : x[support_[a]] + best * step_[a];
  }
  return true;
}

/// Returns the change of the function at share t of the step:
/// the change with constant signs, plus 2 |x_k| for each x_k that changes sign.
/// Computing it so avoids cancellation in small steps.
double LassoSearch::change(double penalty, double t, std::span<const double> x) const {
  double sizes = 0.0;
  for (std::size_t a = 0; a < support_.size(); ++a) {
    const double to = x[support_[a]] + t * step_[a];
    sizes += std::max(0.0, -sign_[a] * to);
  }
  return t * slope_ + 0.5 * t * t * curvature_ + 2.0 * penalty * sizes;
}

}  // namespace oa::num
