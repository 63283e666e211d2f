#include "oa/num/box/admm.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;
using Vector = hn::Vec<Floats>;

// Projects t: clamped to [0,1], or soft-thresholded by `shrink`.
HWY_ATTR Vector project(Vector t, Constraint constraint, Vector shrink) {
  const Floats d;
  if (constraint == Constraint::Box) {
    return hn::Min(hn::Max(t, hn::Zero(d)), hn::Set(d, 1.0F));
  }
  const auto size = hn::Max(hn::Sub(hn::Abs(t), shrink), hn::Zero(d));
  return hn::CopySign(size, t);
}

HWY_ATTR void project_rows(ConstView t, Constraint constraint, float shrink, View z) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto s = hn::Set(d, shrink);
  for (int q = 0; q < t.rows; ++q) {
    for (int k = 0; k < t.cols; k += lanes) {
      hn::Store(project(hn::Load(d, t.row(q) + k), constraint, s), d, z.row(q) + k);
    }
  }
}

// Computes mirror = z - u = 2z - t, where z is the projection of t.
HWY_ATTR void reflect(ConstView t, Constraint constraint, float shrink, View mirror) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto s = hn::Set(d, shrink);
  for (int q = 0; q < t.rows; ++q) {
    for (int k = 0; k < t.cols; k += lanes) {
      const auto v = hn::Load(d, t.row(q) + k);
      const auto z = project(v, constraint, s);
      hn::Store(hn::Sub(hn::Add(z, z), v), d, mirror.row(q) + k);
    }
  }
}

// Adds relaxation (x - z) to t, where x = step + fixed and z is the projection of t.
HWY_ATTR void advance(ConstView step,
                      ConstView fixed,
                      Constraint constraint,
                      float shrink,
                      float relaxation,
                      View t) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto r = hn::Set(d, relaxation);
  const auto s = hn::Set(d, shrink);
  for (int q = 0; q < t.rows; ++q) {
    for (int k = 0; k < t.cols; k += lanes) {
      const auto v = hn::Load(d, t.row(q) + k);
      const auto x =
          hn::Add(hn::Load(d, step.row(q) + k), hn::Load(d, fixed.row(q) + k));
      hn::Store(
          hn::MulAdd(r, hn::Sub(x, project(v, constraint, s)), v), d, t.row(q) + k);
    }
  }
}

// Inverts in place by Gauss-Jordan elimination; positive definite: without pivoting.
HWY_ATTR void gauss_jordan(View a) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int p = 0; p < a.rows; ++p) {
    float* pivot = a.row(p);
    const auto scale = hn::Set(d, 1.0F / pivot[p]);
    pivot[p] = 1.0F;
    for (int k = 0; k < a.cols; k += lanes) {
      hn::Store(hn::Mul(scale, hn::Load(d, pivot + k)), d, pivot + k);
    }
    for (int i = 0; i < a.rows; ++i) {
      if (i == p) {
        continue;
      }
      float* row = a.row(i);
      const auto factor = hn::Set(d, row[p]);
      row[p] = 0.0F;
      for (int k = 0; k < a.cols; k += lanes) {
        hn::Store(hn::NegMulAdd(factor, hn::Load(d, pivot + k), hn::Load(d, row + k)),
                  d,
                  row + k);
      }
    }
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(project_rows);
HWY_EXPORT(reflect);
HWY_EXPORT(advance);
HWY_EXPORT(gauss_jordan);

// The derivative of the projection at t.
float passes(const AdmmSettings& settings, float shrink, float t) {
  const bool inside = settings.constraint == Constraint::Box ? t > 0.0F && t < 1.0F
                                                             : std::abs(t) > shrink;
  return inside ? 1.0F : 0.0F;
}

}  // namespace

Admm::Admm(int n, int m, Arena& arena)
    : inverse_(zeros(m, m, arena)),
      fixed_(zeros(n, m, arena)),
      state_(zeros(n, m, arena)),
      mirror_(zeros(n, m, arena)),
      step_(zeros(n, m, arena)) {}

void Admm::iterate(const AdmmSettings& settings, std::vector<Matrix>* states) {
  const float shrink = settings.penalty / rho_;
  fill(state_, 0.0F);
  for (int k = 0; k < settings.iterations; ++k) {
    if (states != nullptr) {
      copy(state_, states->emplace_back(state_.rows, state_.cols));
    }
    HWY_DYNAMIC_DISPATCH(reflect)(state_, settings.constraint, shrink, mirror_);
    matmul(mirror_, inverse_, step_, rho_);
    HWY_DYNAMIC_DISPATCH(advance)
    (step_, fixed_, settings.constraint, shrink, settings.relaxation, state_);
  }
}

void Admm::solve(
    ConstView j, ConstView h, const AdmmSettings& settings, View x, View g) {
  const double norm = std::sqrt(dot(j, j) / j.cols);
  rho_ = settings.rho * static_cast<float>(std::max(norm, 1e-12));
  invert_spd(j, rho_, inverse_);
  matmul(h, inverse_, fixed_, -1.0F);
  iterate(settings, nullptr);
  HWY_DYNAMIC_DISPATCH(project_rows)
  (state_, settings.constraint, settings.penalty / rho_, x);
  copy(h, g);
  matmul_add(x, j, g);
}

LowRankAdmm::LowRankAdmm(int rows, int m, int d, Arena& arena)
    : w_(zeros(m, d, arena)),
      transposed_(zeros(d, m, arena)),
      gram_(zeros(d, d, arena)),
      inverse_(zeros(d, d, arena)),
      along_(zeros(rows, d, arena)),
      inner_(zeros(rows, d, arena)),
      fixed_(zeros(rows, m, arena)),
      state_(zeros(rows, m, arena)),
      mirror_(zeros(rows, m, arena)),
      step_(zeros(rows, m, arena)) {}

void LowRankAdmm::prepare(ConstView v, float scale, const AdmmSettings& settings) {
  settings_ = settings;
  fill(w_, 0.0F);
  add_scaled(v, std::sqrt(2.0F) * scale, w_);
  transpose(w_, transposed_);
  fill(gram_, 0.0F);
  matmul_transposed_add(w_, w_, gram_);
  const double norm = std::sqrt(dot(gram_, gram_) / v.rows);  // |J|_F = |W'W|_F
  rho_ = settings.rho * static_cast<float>(std::max(norm, 1e-12));
  invert_spd(gram_, rho_, inverse_);
}

void LowRankAdmm::reduce(ConstView b, View to) const {
  const View along = along_.top(b.rows);
  const View inner = inner_.top(b.rows);
  matmul(b, w_, along);
  matmul(along, inverse_, inner);
  copy(b, to);
  matmul_add(inner, transposed_, to, -1.0F);
}

void LowRankAdmm::solve(ConstView h, View x, bool warm) const {
  const float shrink = settings_.penalty / rho_;
  const View fixed = fixed_.top(h.rows);
  const View state = state_.top(h.rows);
  const View mirror = mirror_.top(h.rows);
  const View step = step_.top(h.rows);
  reduce(h, fixed);
  scale(fixed, -1.0F / rho_);
  if (!warm) {
    fill(state, 0.0F);
  }
  for (int k = 0; k < settings_.iterations; ++k) {
    HWY_DYNAMIC_DISPATCH(reflect)(state, settings_.constraint, shrink, mirror);
    reduce(mirror, step);
    HWY_DYNAMIC_DISPATCH(advance)
    (step, fixed, settings_.constraint, shrink, settings_.relaxation, state);
  }
  HWY_DYNAMIC_DISPATCH(project_rows)(state, settings_.constraint, shrink, x);
}

// With projection P, relaxation r and inverse K, an iteration is
//   mirror = 2P(t) - t;  x = rho mirror K - hK;  t <- t + r (x - P(t)).
// The loop applies the chain rule from the last iteration to the first.
void Admm::backward(
    ConstView h, const AdmmSettings& settings, ConstView dx, View dh, View dj) {
  const float shrink = settings.penalty / rho_;
  std::vector<Matrix> states;
  iterate(settings, &states);
  const int n = h.rows;
  const int m = h.cols;
  Matrix dt(n, m);
  Matrix dstep(n, m);
  Matrix dmirror(n, m);
  Matrix dfixed(n, m);
  Matrix dinverse(m, m);
  for (int q = 0; q < n; ++q) {
    for (int k = 0; k < m; ++k) {
      dt(q, k) = dx(q, k) * passes(settings, shrink, state_(q, k));
    }
  }
  for (std::size_t i = states.size(); i-- > 0;) {
    const Matrix& t = states[i];
    fill(dstep, 0.0F);
    add_scaled(dt, settings.relaxation, dstep);
    add(dstep, dfixed);
    HWY_DYNAMIC_DISPATCH(reflect)(t, settings.constraint, shrink, mirror_);
    matmul_transposed_add(mirror_, dstep, dinverse, rho_);
    matmul(dstep, inverse_, dmirror, rho_);
    for (int q = 0; q < n; ++q) {
      for (int k = 0; k < m; ++k) {
        const float dz = 2.0F * dmirror(q, k) - settings.relaxation * dt(q, k);
        dt(q, k) += passes(settings, shrink, t(q, k)) * dz - dmirror(q, k);
      }
    }
  }
  matmul(dfixed, inverse_, dh, -1.0F);
  matmul_transposed_add(h, dfixed, dinverse, -1.0F);
  Matrix product(m, m);
  matmul(inverse_, dinverse, product);  // dK = -K dJ K
  matmul(product, inverse_, dj, -1.0F);
}

void invert_spd(ConstView a, float shift, View inverse) {
  assert(a.rows == a.cols && same_shape(a, inverse));
  copy(a, inverse);
  for (int i = 0; i < a.rows; ++i) {
    inverse(i, i) += shift;
  }
  HWY_DYNAMIC_DISPATCH(gauss_jordan)(inverse);
}

}  // namespace oa::num
#endif
