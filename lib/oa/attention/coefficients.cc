#include "oa/attention/coefficients.h"

#include "oa/attention/kernel/heads.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/boltzmann.h"
#include "oa/num/box/qp.h"
#include "oa/num/cholesky.h"
#include "oa/num/gemm.h"
#include "oa/num/lasso.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::Gram;
using num::View;

// Keeps sums above 0: if all coefficients are 0, the output is 0, as in the reference.
constexpr float kTiny = 1e-10F;

num::AdmmSettings admm_settings(const Site& site, int tokens) {
  num::AdmmSettings s;
  s.iterations = site.solver.admm_iterations;
  if (site.coefficients == Coefficients::Lasso) {
    s.constraint = num::Constraint::Absolute;
    s.penalty = static_cast<float>(site.lambda / site.keys(tokens));
  }
  return s;
}

bool is_rounded(Coefficients kind) {
  return kind == Coefficients::Binary || kind == Coefficients::Levels;
}

/// True if kLane floats are 0.
bool all_zero(const float* x) {
  bool none = true;
  for (int k = 0; k < num::kLane; ++k) {
    none &= x[k] == 0.0F;
  }
  return none;
}

/// Returns the relaxed or the rounded coefficients.
ConstView round_to(Coefficients kind,
                   int levels,
                   const SolverSettings& settings,
                   bool causal,
                   ConstView j,
                   ConstView h,
                   ConstView relaxed,
                   View rounded) {
  if (!is_rounded(kind)) {
    return relaxed;
  }
  num::copy(relaxed, rounded);
  round_to_levels(levels, rounded);
  if (settings.optima) {
    settings.optima(j, h, causal, levels, rounded);
  }
  return rounded;
}

std::vector<double> row_of(ConstView x, int i) {
  return {x.row(i), x.row(i) + x.cols};
}

std::vector<double> doubles(ConstView x) {
  std::vector<double> all;
  for (int i = 0; i < x.rows; ++i) {
    all.insert(all.end(), x.row(i), x.row(i) + x.cols);
  }
  return all;
}

void copy_floats(std::span<const double> from, float* to) {
  std::ranges::transform(from, to, [](double v) { return static_cast<float>(v); });
}

/// Computes dh and dj of marginals.
void marginal_gradient(
    ConstView j, ConstView h, double temperature, ConstView dx, View dh, View dj) {
  const auto m = at(j.cols);
  num::Boltzmann distribution(m, doubles(j));
  std::vector<double> by_field(m);
  std::vector<double> by_coupling(m * m);
  for (int i = 0; i < h.rows; ++i) {
    distribution.gradient(
        row_of(h, i), temperature, row_of(dx, i), by_field, by_coupling);
    copy_floats(by_field, dh.row(i));
  }
  for (int a = 0; a < j.rows; ++a) {
    copy_floats(std::span(by_coupling).subspan(at(a) * m, m), dj.row(a));
  }
}

/// Continues from the result of ADMM to the exact minima.
void finish_lasso(ConstView j, ConstView h, double penalty, View x, View g) {
  const auto m = at(j.cols);
  num::LassoSearch search(m, doubles(j));
  std::vector<double> row(m);
  for (int q = 0; q < x.rows; ++q) {
    const std::vector<double> linear = row_of(h, q);
    std::copy_n(x.row(q), m, row.begin());
    if (search.solve(linear, penalty, row)) {
      copy_floats(row, x.row(q));
    }
  }
  num::copy(h, g);
  num::matmul_add(x, j, g);
}

}  // namespace

CoefficientLayer::CoefficientLayer(const Site& site,
                                   int tokens,
                                   const Resources& resources,
                                   std::optional<Stage> stage)
    : kind_(site.coefficients),
      levels_(site.levels),
      settings_(site.solver),
      admm_settings_(admm_settings(site, tokens)),
      stage_(stage),
      causal_(site.causal),
      relaxed_(num::zeros(site.queries(tokens), site.keys(tokens), resources.kept)),
      gradient_(num::zeros(site.queries(tokens), site.keys(tokens), resources.kept)) {
  const int n = site.queries(tokens);
  const int m = site.keys(tokens);
  if (kind_ == Coefficients::Marginal) {
    return;
  }
  const bool lasso = kind_ == Coefficients::Lasso;
  if (lasso || settings_.backward == Backward::Unrolled) {
    admm_.emplace(n, m, resources.kept);
  }
  if (stage_) {
    settings_.temperature = stage_->temperature;
    mean_field_.emplace(n, m, resources.scratch);
  }
  if (resources.backward) {
    slope_ = num::zeros(n, m, resources.scratch);
    transposed_ = num::zeros(m, m, resources.scratch);
    if (!lasso && (stage_ || settings_.backward == Backward::Smoothed)) {
      cg_.emplace(n, m, resources.scratch);
    }
  }
}

void CoefficientLayer::set_stage(const Stage& stage) {
  if (stage_) {
    stage_ = stage;
    settings_.temperature = stage.temperature;
  }
}

void CoefficientLayer::set_temperature(float temperature) {
  if (kind_ == Coefficients::Marginal) {
    settings_.temperature = temperature;
  }
}

bool CoefficientLayer::rounds(const Site& site) {
  return is_rounded(site.coefficients);
}

ConstView CoefficientLayer::forward(const Gram& j, ConstView h, View rounded) {
  if (kind_ == Coefficients::Marginal) {
    marginal_coefficients(j.j, h, settings_.temperature, relaxed_);
    return relaxed_;
  }
  if (stage_ && stage_->relaxed) {
    solve_mean_field(j, h);
    return relaxed_;
  }
  if (settings_.optima && has_mean_field() && cg_) {
    // Skips the box QP, because backward uses the mean field.
    settings_.optima(j.j, h, causal_, levels_, rounded);
    return rounded;
  }
  if (admm_) {
    admm_->solve(j.j, h, admm_settings_, relaxed_, gradient_);
    if (settings_.backward != Backward::Unrolled) {
      finish_lasso(
          j.j, h, static_cast<double>(admm_settings_.penalty), relaxed_, gradient_);
    }
    return round_to(kind_, levels_, settings_, causal_, j.j, h, relaxed_, rounded);
  }
  return box_coefficients(
      kind_, levels_, settings_, causal_, j, h, relaxed_, gradient_, rounded);
}

void CoefficientLayer::backward(const Gram& j, ConstView h, ConstView dx, View dh) {
  assert(!differentiates_j());
  if (is_constant()) {
    num::fill(dh, 0.0F);
    return;
  }
  const bool is_smooth =
      settings_.backward == Backward::Smoothed && kind_ != Coefficients::Lasso;
  if (has_mean_field() || is_smooth) {
    smoothed(j, h, dx, dh);
  } else {
    free_set(j.j, dx, dh);
  }
  num::scale(dh, -1.0F);
}

void CoefficientLayer::backward(
    const Gram& j, ConstView h, ConstView dx, View dh, View dj) {
  if (kind_ == Coefficients::Marginal) {
    marginal_gradient(j.j, h, static_cast<double>(settings_.temperature), dx, dh, dj);
    return;
  }
  num::fill(dj, 0.0F);
  if (unrolled()) {
    admm_->backward(h, admm_settings_, dx, dh, dj);
  } else {
    backward(j, h, dx, dh);
    if (is_constant()) {
      return;
    }
    num::matmul_transposed_add(dh, relaxed_, dj);
  }
  // Makes dj symmetric: dj = (dj + dj') / 2.
  num::transpose(dj, transposed_);
  num::add(transposed_, dj);
  num::scale(dj, 0.5F);
}

bool CoefficientLayer::differentiates_j() const {
  return kind_ == Coefficients::Marginal || unrolled();
}

bool CoefficientLayer::unrolled() const {
  return settings_.backward == Backward::Unrolled && !has_mean_field();
}

bool CoefficientLayer::is_constant() const {
  return settings_.backward == Backward::None && !(stage_ && stage_->relaxed);
}

bool CoefficientLayer::has_mean_field() const {
  return stage_ && (stage_->relaxed ||
                    (is_rounded(kind_) && settings_.backward == Backward::Smoothed));
}

void CoefficientLayer::smoothed(const Gram& j, ConstView h, ConstView dx, View w) {
  if (!stage_) {
    num::sigmoid_slope_root(gradient_, settings_.temperature, slope_);
    cg_->solve(j, slope_, dx, causal_, {.tolerance = 1e-3F, .iterations = 50}, w);
    return;
  }
  if (has_mean_field() && !stage_->relaxed) {
    solve_mean_field(j, h);
  }
  num::logistic(gradient_, settings_.temperature, w, slope_);
  const float tolerance = std::clamp(settings_.tolerance, 1e-5F, 1e-3F);
  cg_->solve(j, slope_, dx, causal_, {.tolerance = tolerance, .iterations = 50}, w);
}

void CoefficientLayer::solve_mean_field(const Gram& j, ConstView h) {
  mean_field_->solve(
      j, h, causal_, settings_.temperature, settings_.tolerance, relaxed_, gradient_);
}

void CoefficientLayer::free_set(ConstView j, ConstView dx, View w) const {
  std::vector<int> free;
  num::SubsetSolver solver;
  for (int i = 0; i < w.rows; ++i) {
    free.clear();
    for (int k = 0; k < w.cols; ++k) {
      const float x = relaxed_(i, k);
      const bool between =
          kind_ == Coefficients::Lasso ? x != 0.0F : x > 0.0F && x < 1.0F;
      if (between) {
        free.push_back(k);
      }
      w(i, k) = between ? dx(i, k) : 0.0F;
    }
    solver.solve(free, j, std::span(w.row(i), at(w.cols)));
  }
}

float CoefficientLayer::residual(ConstView j) const {
  return kind_ == Coefficients::Marginal ? 0.0F
                                         : num::box_qp_residual(j, relaxed_, gradient_);
}

ConstView box_coefficients(Coefficients kind,
                           int levels,
                           const SolverSettings& settings,
                           bool causal,
                           const Gram& j,
                           ConstView h,
                           View relaxed,
                           View gradient,
                           View rounded) {
  num::box_qp_descent(j, h, {settings.tolerance, 1000, causal}, relaxed, gradient);
  return round_to(kind, levels, settings, causal, j.j, h, relaxed, rounded);
}

void marginal_coefficients(ConstView j, ConstView h, float temperature, View x) {
  const auto m = at(j.cols);
  num::Boltzmann distribution(m, doubles(j));
  std::vector<double> row(m);
  for (int i = 0; i < h.rows; ++i) {
    distribution.marginals(row_of(h, i), static_cast<double>(temperature), row);
    copy_floats(row, x.row(i));
  }
}

void round_to_levels(int levels, View x) {
  const auto top = static_cast<float>(levels - 1);
  for (int i = 0; i < x.rows; ++i) {
    const std::span<float> row(x.row(i), at(x.cols));
    if (levels == 2) {
      // The case of two levels gives the same result several times faster.
      std::ranges::transform(
          row, row.begin(), [](float v) { return v > 0.5F ? 1.0F : 0.0F; });
      continue;
    }
    for (float& v : row) {
      // A v halfway between two levels is rounded down.
      v = std::max(0.0F, std::ceil(top * v - 0.5F)) / top;
    }
  }
}

void normalize(Normalization how, ConstView x, std::span<float> sums, View a) {
  if (how == Normalization::None) {
    std::fill_n(sums.begin(), x.rows, 1.0F);
    num::copy(x, a);
    return;
  }
  for (int i = 0; i < x.rows; ++i) {
    float sum = how == Normalization::Capped ? 0.0F : kTiny;
    // Most coefficients are 0: skips sixteen zeros at a time.
    for (int first = 0; first < x.cols; first += num::kLane) {
      const float* const some = x.row(i) + first;
      if (all_zero(some)) {
        std::fill_n(a.row(i) + first, num::kLane, 0.0F);
        continue;
      }
      for (int k = first; k < std::min(first + num::kLane, x.cols); ++k) {
        const float v = x(i, k);
        const float p = how == Normalization::Fifth ? v * v * v * v * v : v;
        a(i, k) = p;
        sum += std::abs(p);
      }
    }
    sums[static_cast<std::size_t>(i)] = sum;
    const float share =
        1.0F / (how == Normalization::Capped ? std::max(1.0F, sum) : sum);
    for (int k = 0; k < x.cols; ++k) {
      a(i, k) *= share;
    }
  }
}

void weigh(Normalization how,
           ConstView x,
           std::span<float> sums,
           View a,
           ConstView v,
           float scale,
           View o) {
  constexpr int kRows = 48;  // rows that stay in the cache between both steps
  for (int first = 0; first < x.rows; first += kRows) {
    const QueryRows some{first, std::min(first + kRows, x.rows)};
    normalize(how, rows_of(x, some), sums.subspan(at(first)), rows_of(a, some));
    num::matmul(rows_of(ConstView(a), some), v, rows_of(o, some), scale);
  }
}

void normalize_backward(Normalization how,
                        ConstView x,
                        ConstView a,
                        std::span<const float> sums,
                        ConstView da,
                        View dx) {
  if (how == Normalization::None) {
    num::copy(da, dx);
    return;
  }
  for (int i = 0; i < x.rows; ++i) {
    float along = 0.0F;
    for (int k = 0; k < x.cols; ++k) {
      along += da(i, k) * a(i, k);
    }
    // If all coefficients are 0, divides by 1, as for a sum of 1.
    // Division by kTiny would give a huge derivative.
    const float sum = sums[static_cast<std::size_t>(i)];
    const bool below_cap = how == Normalization::Capped && sum < 1.0F;
    const float share = sum > kTiny && !below_cap ? 1.0F / sum : 1.0F;
    if (below_cap) {
      along = 0.0F;
    }
    for (int k = 0; k < x.cols; ++k) {
      const float v = x(i, k);
      const float sign = v < 0.0F ? -1.0F : 1.0F;
      const float slope = how == Normalization::Fifth ? 5.0F * v * v * v * v : 1.0F;
      dx(i, k) = share * slope * (da(i, k) - sign * along);
    }
  }
}

}  // namespace oa::attention
