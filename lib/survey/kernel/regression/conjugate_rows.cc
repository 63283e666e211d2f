#include "survey/kernel/regression/conjugate_rows.h"

#include "oa/base/index.h"

#include <algorithm>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using RowFloats = hn::CappedTag<float, num::kLane>;

HWY_INLINE HWY_ATTR float row_product(const float* a, const float* b, int width) {
  const RowFloats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    sum = hn::MulAdd(hn::Load(d, a + j), hn::Load(d, b + j), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

HWY_ATTR void products_of_rows(num::ConstView a, num::ConstView b, float* to) {
  for (int i = 0; i < a.rows; ++i) {
    to[i] = row_product(a.row(i), b.row(i), a.cols);
  }
}

// Computes x += alpha p and r -= alpha product; returns |r|^2.
HWY_INLINE HWY_ATTR float descend(
    float alpha, const float* p, const float* product, float* x, float* r, int width) {
  const RowFloats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto step = hn::Set(d, alpha);
  auto square = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    hn::Store(hn::MulAdd(step, hn::Load(d, p + j), hn::Load(d, x + j)), d, x + j);
    const auto left = hn::NegMulAdd(step, hn::Load(d, product + j), hn::Load(d, r + j));
    hn::Store(left, d, r + j);
    square = hn::MulAdd(left, left, square);
  }
  return hn::GetLane(hn::SumOfLanes(d, square));
}

// Computes p = r + beta p.
HWY_INLINE HWY_ATTR void turn(float beta, const float* r, float* p, int width) {
  const RowFloats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto share = hn::Set(d, beta);
  for (int j = 0; j < width; j += lanes) {
    hn::Store(hn::MulAdd(share, hn::Load(d, p + j), hn::Load(d, r + j)), d, p + j);
  }
}

HWY_ATTR bool step_rows(num::ConstView product, const ConjugateRows& s) {
  const int width = product.cols;
  bool go_on = false;
  for (int i = 0; i < product.rows; ++i) {
    float& square = s.square[at(i)];
    const float limit = s.limit[at(i)];
    if (square <= limit) {
      continue;
    }
    float* p = s.direction.row(i);
    float* r = s.residual.row(i);
    const float alpha = square / row_product(p, product.row(i), width);
    const float next = descend(alpha, p, product.row(i), s.x.row(i), r, width);
    turn(next / square, r, p, width);
    square = next;
    go_on = go_on || !(next <= limit);
  }
  return go_on;
}

template <bool kAdd>
HWY_INLINE HWY_ATTR void scaled_rows(num::ConstView x,
                                     const float* factor,
                                     num::View to) {
  const RowFloats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    const auto by = hn::Set(d, factor[i]);
    for (int j = 0; j < x.cols; j += lanes) {
      auto sum = hn::Mul(by, hn::Load(d, x.row(i) + j));
      if constexpr (kAdd) {
        sum = hn::Add(sum, hn::Load(d, to.row(i) + j));
      }
      hn::Store(sum, d, to.row(i) + j);
    }
  }
}

HWY_ATTR void add_scaled(num::ConstView x, const float* factor, num::View to) {
  scaled_rows<true>(x, factor, to);
}

HWY_ATTR void set_scaled(num::ConstView x, const float* factor, num::View to) {
  scaled_rows<false>(x, factor, to);
}

HWY_ATTR void add_diagonal_rows(num::ConstView x, const float* diagonal, num::View to) {
  const RowFloats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const auto sum = hn::MulAdd(hn::Load(d, diagonal + j),
                                  hn::Load(d, x.row(i) + j),
                                  hn::Load(d, to.row(i) + j));
      hn::Store(sum, d, to.row(i) + j);
    }
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(products_of_rows);
HWY_EXPORT(step_rows);
HWY_EXPORT(add_scaled);
HWY_EXPORT(set_scaled);
HWY_EXPORT(add_diagonal_rows);

constexpr float kTolerance = 1e-6F;
/// A right side with a smaller squared length counts as 0: products would underflow.
constexpr float kNothing = 1e-36F;

}  // namespace

bool conjugate_start(num::ConstView y, const ConjugateRows& rows) {
  row_products(y, y, rows.square);
  bool go_on = false;
  for (int i = 0; i < y.rows; ++i) {
    std::fill_n(rows.x.row(i), rows.x.stride, 0.0F);
    for (const num::View& to : {rows.residual, rows.direction}) {
      std::fill(std::copy_n(y.row(i), y.cols, to.row(i)), to.row(i) + to.stride, 0.0F);
    }
    const float square = rows.square[at(i)];
    rows.limit[at(i)] = std::max(kTolerance * kTolerance * square, kNothing);
    go_on = go_on || !(square <= rows.limit[at(i)]);
  }
  return go_on;
}

bool conjugate_step(num::ConstView product, const ConjugateRows& rows) {
  return HWY_DYNAMIC_DISPATCH(step_rows)(product, rows);
}

void add_scaled_rows(num::ConstView x, std::span<const float> factor, num::View to) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(x, factor.data(), to);
}

void scale_rows(num::ConstView x, std::span<const float> factor, num::View to) {
  HWY_DYNAMIC_DISPATCH(set_scaled)(x, factor.data(), to);
}

void add_diagonal(num::ConstView x, std::span<const float> diagonal, num::View to) {
  HWY_DYNAMIC_DISPATCH(add_diagonal_rows)(x, diagonal.data(), to);
}

void row_products(num::ConstView a, num::ConstView b, std::span<float> to) {
  HWY_DYNAMIC_DISPATCH(products_of_rows)(a, b, to.data());
}

}  // namespace oa::attention
#endif
