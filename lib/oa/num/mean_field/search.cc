#include "oa/num/mean_field/search.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::num {
namespace {

constexpr int kMaxSteps = 100;
constexpr int kMaxHalvings = 12;
constexpr double kNearest = 1e-15;   // rounding of x
constexpr double kSmallRoot = 1e-9;  // smaller roots: coordinates at a bound

double logistic_of(double p, double temperature) {
  return 1.0 / (1.0 + std::exp(p / temperature));
}

}  // namespace

MeanFieldSearch::MeanFieldSearch(std::size_t n, std::span<const double> j)
    : n_(n),
      j_(j.begin(), j.end()),
      field_(n),
      x_(n),
      g_(n),
      next_(n),
      step_(n),
      root_(n) {
  assert(j.size() == n * n);
}

bool MeanFieldSearch::solve(std::span<const double> h,
                            double temperature,
                            std::span<double> x) {
  assert(h.size() == n_ && x.size() == n_);
  std::ranges::copy(h, field_.begin());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < n_; ++k) {
      field_[k] += j_[i * n_ + k] * x[i];
    }
  }
  look_at(h, temperature);
  bool near = false;
  for (int s = 0; s < kMaxSteps && !near; ++s) {
    find_step(temperature);
    const std::vector<double> before = field_;
    const double apart = apart_;
    double length = 1.0;
    for (int k = 0; k < kMaxHalvings; ++k, length *= 0.5) {
      for (std::size_t i = 0; i < n_; ++i) {
        field_[i] = before[i] + length * step_[i];
      }
      look_at(h, temperature);
      if (apart_ < apart) {
        break;
      }
    }
    near = apart_ <= kNearest || (apart_ >= apart && apart_ < 1e-12);
  }
  std::ranges::copy(next_, x.begin());
  return near || apart_ < 1e-9;
}

void MeanFieldSearch::look_at(std::span<const double> h, double temperature) {
  std::ranges::copy(h, g_.begin());
  for (std::size_t i = 0; i < n_; ++i) {
    x_[i] = logistic_of(field_[i], temperature);
    for (std::size_t k = 0; x_[i] != 0.0 && k < n_; ++k) {
      g_[k] += j_[i * n_ + k] * x_[i];
    }
  }
  apart_ = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    next_[i] = logistic_of(g_[i], temperature);
    apart_ = std::max(apart_, std::abs(next_[i] - x_[i]));
  }
}

/// Computes the step r + J dx with r = Jx + h - p, (J + diag(1/S)) dx = -r, S = root^2.
void MeanFieldSearch::find_step(double temperature) {
  moving_.clear();
  std::vector<double> along(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    root_[i] = std::sqrt(x_[i] * (1.0 - x_[i]) / temperature);
    step_[i] = g_[i] - field_[i];
    if (root_[i] > kSmallRoot) {
      moving_.push_back(static_cast<int>(i));
      along[i] = -root_[i] * step_[i];
    }
  }
  const auto element = [&](int a, int b) {
    return (a == b ? 1.0 : 0.0) + root_[at(a)] * j_[at(a) * n_ + at(b)] * root_[at(b)];
  };
  solver_.solve(moving_, element, std::span(along));
  for (const int i : moving_) {
    const double dx = root_[at(i)] * along[at(i)];
    for (std::size_t k = 0; k < n_; ++k) {
      step_[k] += j_[at(i) * n_ + k] * dx;
    }
  }
}

}  // namespace oa::num
