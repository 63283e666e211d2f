#include "survey/kernel/scan/feature_map.h"

#include "oa/base/index.h"
#include "oa/num/gemm.h"
#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, num::kLane>;
using Vector = hn::Vec<Floats>;

// Clears lanes from `columns` on: padding must stay 0, but exp(0) is 1.
HWY_INLINE HWY_ATTR Vector only(int j, int columns, Vector x) {
  if (j + static_cast<int>(hn::Lanes(Floats())) <= columns) {
    return x;
  }
  return hn::IfThenElseZero(
      hn::FirstN(Floats(), static_cast<size_t>(std::max(columns - j, 0))), x);
}

template <Feature kKind>
HWY_INLINE HWY_ATTR Vector pointwise_of(int j, int columns, Vector x) {
  const Floats d;
  const auto zero = hn::Zero(d);
  if constexpr (kKind == Feature::Relu) {
    return hn::Max(zero, x);
  } else if constexpr (kKind == Feature::Elu) {
    const auto y = hn::Add(hn::Max(zero, x), exp_of(d, hn::Min(zero, x)));
    return only(j, columns, y);
  } else if constexpr (kKind == Feature::Exp) {
    return only(j, columns, exp_of(d, x));
  } else {
    return x;
  }
}

template <Feature kKind>
HWY_ATTR void pointwise_rows(const float* x, int tokens, int columns, float* phi) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int width = num::padded(columns);
  for (int i = 0; i < tokens; ++i, x += width, phi += width) {
    for (int j = 0; j < width; j += lanes) {
      hn::Store(pointwise_of<kKind>(j, columns, hn::Load(d, x + j)), d, phi + j);
    }
  }
}

// Computes phi of `tokens` packed rows of x.
HWY_ATTR void pointwise(
    Feature kind, const float* x, int tokens, int columns, float* phi) {
  switch (kind) {
    case Feature::Relu: pointwise_rows<Feature::Relu>(x, tokens, columns, phi); break;
    case Feature::Elu: pointwise_rows<Feature::Elu>(x, tokens, columns, phi); break;
    case Feature::Exp: pointwise_rows<Feature::Exp>(x, tokens, columns, phi); break;
    default: pointwise_rows<Feature::Identity>(x, tokens, columns, phi); break;
  }
}

HWY_ATTR void pointwise_slope(
    Feature kind, const float* x, const float* d_phi, int size, float* dx) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  for (int i = 0; i < size; i += lanes) {
    const auto v = hn::Load(d, x + i);
    auto y = hn::Load(d, d_phi + i);
    if (kind == Feature::Relu) {
      y = hn::IfThenElseZero(hn::Gt(v, zero), y);
    } else if (kind == Feature::Elu) {
      y = hn::Mul(y, exp_of(d, hn::Min(zero, v)));
    } else if (kind == Feature::Exp) {
      y = hn::Mul(y, exp_of(d, v));
    }
    hn::Store(y, d, dx + i);
  }
}

// Subtracts |x|^2 / 2 from the logits l of one token; returns the largest.
HWY_ATTR float finish_logits(const float* x, int width, float* l, int columns) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto square = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    const auto v = hn::Load(d, x + j);
    square = hn::MulAdd(v, v, square);
  }
  const auto half = hn::Mul(hn::Set(d, 0.5F), hn::SumOfLanes(d, square));
  const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  auto largest = lowest;
  for (int j = 0; j < num::padded(columns); j += lanes) {
    const auto v = hn::Sub(hn::Load(d, l + j), half);
    hn::Store(v, d, l + j);
    const auto ours = hn::FirstN(d, static_cast<size_t>(std::max(columns - j, 0)));
    largest = hn::Max(largest, hn::IfThenElse(ours, v, lowest));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

constexpr float kFeatureFloor = 1e-6F;

HWY_ATTR void positive(
    const float* l, const float* reference, int tokens, int columns, float* phi) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int width = num::padded(columns);
  const auto root = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(columns)));
  const auto floor = hn::Set(d, kFeatureFloor);
  for (int i = 0; i < tokens; ++i) {
    const auto r = hn::Set(d, reference[i]);
    for (int j = 0; j < width; j += lanes) {
      const auto e = exp_of(d, hn::Sub(hn::Load(d, l + i * width + j), r));
      hn::Store(
          only(j, columns, hn::Mul(root, hn::Add(e, floor))), d, phi + i * width + j);
    }
  }
}

// Computes dl = d_phi m^-1/2 exp(l - r) for one token, and returns its sum.
// m^-1/2 exp(l - r) is phi without its floor; l are the logits of features.
HWY_ATTR float positive_slope(const float* phi,
                              const float* d_phi,
                              int columns,
                              float* dl) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto floor = hn::Set(d, kFeatureFloor / std::sqrt(static_cast<float>(columns)));
  auto sum = hn::Zero(d);
  for (int j = 0; j < num::padded(columns); j += lanes) {
    const auto e = only(j, columns, hn::Sub(hn::Load(d, phi + j), floor));
    const auto slope = hn::Mul(e, hn::Load(d, d_phi + j));
    sum = hn::Add(sum, slope);
    hn::Store(slope, d, dl + j);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// Computes sine and cosine of x = n pi/2 + r, with pi/2 in three parts, by the
// polynomials of Cephes (Moshier) for |r| <= pi/4.  Error 1e-6 for |x| up to 8000.
HWY_INLINE HWY_ATTR void sine_and_cosine(Vector x, Vector& sine, Vector& cosine) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const auto rounder = hn::Set(d, exponent::kRounder);
  const auto rounded = hn::MulAdd(x, hn::Set(d, 0.636619772F), rounder);
  const auto n = hn::Sub(rounded, rounder);
  auto r = hn::NegMulAdd(n, hn::Set(d, 1.5703125F), x);
  r = hn::NegMulAdd(n, hn::Set(d, 4.837512969970703125e-4F), r);
  r = hn::NegMulAdd(n, hn::Set(d, 7.54978995489188216e-8F), r);
  const auto r2 = hn::Mul(r, r);
  auto s = hn::Set(d, -1.9515295891e-4F);
  s = hn::MulAdd(s, r2, hn::Set(d, 8.3321608736e-3F));
  s = hn::MulAdd(s, r2, hn::Set(d, -1.6666654611e-1F));
  s = hn::MulAdd(hn::Mul(s, r2), r, r);
  auto c = hn::Set(d, 2.443315711809948e-5F);
  c = hn::MulAdd(c, r2, hn::Set(d, -1.388731625493765e-3F));
  c = hn::MulAdd(c, r2, hn::Set(d, 4.166664568298827e-2F));
  c = hn::MulAdd(
      hn::Mul(c, r2), r2, hn::NegMulAdd(hn::Set(d, 0.5F), r2, hn::Set(d, 1.0F)));
  const auto quadrant = hn::BitCast(di, rounded);
  const auto odd =
      hn::MaskFromVec(hn::BitCast(d, hn::Neg(hn::And(quadrant, hn::Set(di, 1)))));
  const auto sine_sign =
      hn::BitCast(d, hn::ShiftLeft<30>(hn::And(quadrant, hn::Set(di, 2))));
  const auto cosine_sign = hn::BitCast(
      d, hn::ShiftLeft<30>(hn::And(hn::Add(quadrant, hn::Set(di, 1)), hn::Set(di, 2))));
  sine = hn::Xor(hn::IfThenElse(odd, c, s), sine_sign);
  cosine = hn::Xor(hn::IfThenElse(odd, s, c), cosine_sign);
}

HWY_ATTR void fourier(const float* z, int tokens, int columns, float* phi) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int width = num::padded(columns);
  const auto root = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(columns)));
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < width; j += lanes) {
      auto sine = hn::Zero(d);
      auto cosine = hn::Zero(d);
      sine_and_cosine(hn::Load(d, z + i * width + j), sine, cosine);
      float* to = phi + 2 * i * width + j;
      hn::Store(only(j, columns, hn::Mul(root, sine)), d, to);
      hn::Store(only(j, columns, hn::Mul(root, cosine)), d, to + width);
    }
  }
}

// Replaces z by dz = d_sin cos - d_cos sin; returns the sum of dz z.
HWY_ATTR float fourier_slope(
    const float* phi, const float* d_phi, int tokens, int width, float* z) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < width; j += lanes) {
      const int at_sine = 2 * i * width + j;
      const auto by_sine =
          hn::Mul(hn::Load(d, d_phi + at_sine), hn::Load(d, phi + at_sine + width));
      const auto slope = hn::NegMulAdd(
          hn::Load(d, d_phi + at_sine + width), hn::Load(d, phi + at_sine), by_sine);
      sum = hn::MulAdd(slope, hn::Load(d, z + i * width + j), sum);
      hn::Store(slope, d, z + i * width + j);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(pointwise);
HWY_EXPORT(pointwise_slope);
HWY_EXPORT(finish_logits);
HWY_EXPORT(positive);
HWY_EXPORT(positive_slope);
HWY_EXPORT(fourier);
HWY_EXPORT(fourier_slope);

bool is_random(Feature kind) {
  return kind == Feature::Positive || kind == Feature::Fourier;
}

int logit_width(const FeatureMap& map) {
  return num::padded(is_random(map.kind) ? map.directions.cols : map.head_width);
}

double dot(const double* a, const double* b, int size) {
  double sum = 0.0;
  for (int i = 0; i < size; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

// Makes row `i` of `rows` a unit row orthogonal to earlier unit rows.
// Runs twice, because rounding errors spoil the first result.
void orthogonalise(double* rows, int i, int d) {
  double* row = rows + static_cast<std::ptrdiff_t>(i) * d;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < i; ++k) {
      const double* other = rows + static_cast<std::ptrdiff_t>(k) * d;
      const double share = dot(row, other, d);
      for (int j = 0; j < d; ++j) {
        row[j] -= share * other[j];
      }
    }
    const double length = std::sqrt(dot(row, row, d));
    for (int j = 0; j < d; ++j) {
      row[j] /= length;
    }
  }
}

}  // namespace

int feature_width(const FeatureMap& map) {
  return (map.kind == Feature::Fourier ? 2 : 1) * logit_width(map);
}

void draw_directions(Rng& rng,
                     bool orthogonal,
                     num::View directions,
                     num::View transposed,
                     Arena& arena) {
  const int d = directions.rows;
  const std::size_t mark = arena.mark();
  auto* block = static_cast<double*>(arena.allocate(at(d) * at(d) * sizeof(double)));
  const auto draw = [&](double* row) {
    std::generate_n(row, d, [&] { return rng.normal(); });
  };
  auto* length = static_cast<double*>(arena.allocate(at(d) * sizeof(double)));
  for (int m = 0; m < directions.cols; ++m) {
    const int i = orthogonal ? m % d : 0;
    double* row = block + static_cast<std::ptrdiff_t>(i) * d;
    draw(row);
    double factor = 1.0;
    if (orthogonal) {
      orthogonalise(block, i, d);
      draw(length);
      factor = std::sqrt(dot(length, length, d));
    }
    for (int j = 0; j < d; ++j) {
      const auto value = static_cast<float>(factor * row[j]);
      directions(j, m) = value;
      transposed(m, j) = value;
    }
  }
  arena.release(mark);
}

FeatureBlock::FeatureBlock(const FeatureMap& map, Arena& arena)
    : map_(map),
      x_(zeroed_floats(kScanSteps * num::padded(map.head_width), arena)),
      length_(zeroed_floats(kScanSteps, arena)),
      z_(is_random(map.kind) ? zeroed_floats(kScanSteps * logit_width(map), arena)
                             : x_),
      phi_(zeroed_floats(kScanSteps * feature_width(map), arena)),
      dx_(zeroed_floats(kScanSteps * num::padded(map.head_width), arena)),
      largest_(zeroed_floats(kScanSteps, arena)) {}

void FeatureBlock::read(num::ConstView x, float inverse_sigma) {
  tokens_ = x.rows;
  inverse_sigma_ = inverse_sigma;
  const bool positive = map_.kind == Feature::Positive;
  const float scale =
      positive ? 1.0F / std::sqrt(std::sqrt(static_cast<float>(x.cols))) : 1.0F;
  pack(x, scale, x_, num::padded(x.cols));
  if (positive) {
    read_positive();
  } else if (map_.kind == Feature::Fourier) {
    read_fourier();
  }
}

void FeatureBlock::read_positive() {
  const int width = num::padded(map_.head_width);
  const num::View z{z_, tokens_, map_.directions.cols, logit_width(map_)};
  num::matmul(num::View{x_, tokens_, map_.head_width, width}, map_.directions, z);
  for (int i = 0; i < tokens_; ++i) {
    largest_[i] =
        HWY_DYNAMIC_DISPATCH(finish_logits)(x_ + i * width, width, z.row(i), z.cols);
  }
}

void FeatureBlock::read_fourier() {
  const int d = map_.head_width;
  const num::View x{x_, tokens_, d, num::padded(d)};
  for (int i = 0; i < tokens_; ++i) {
    double square = 0.0;
    for (int j = 0; j < d; ++j) {
      square += static_cast<double>(x(i, j)) * static_cast<double>(x(i, j));
    }
    length_[i] = static_cast<float>(std::sqrt(square));
    const double share = square == 0.0 ? 0.0 : 1.0 / std::sqrt(square);
    for (int j = 0; j < d; ++j) {
      x(i, j) = static_cast<float>(share * static_cast<double>(x(i, j)));
    }
  }
  num::matmul(x,
              map_.directions,
              {z_, tokens_, map_.directions.cols, logit_width(map_)},
              inverse_sigma_);
}

void FeatureBlock::finish(const float* reference) {
  if (map_.kind == Feature::Positive) {
    HWY_DYNAMIC_DISPATCH(positive)
    (z_, reference, tokens_, map_.directions.cols, phi_);
  } else if (map_.kind == Feature::Fourier) {
    HWY_DYNAMIC_DISPATCH(fourier)(z_, tokens_, map_.directions.cols, phi_);
  } else {
    HWY_DYNAMIC_DISPATCH(pointwise)(map_.kind, x_, tokens_, map_.head_width, phi_);
  }
}

double FeatureBlock::backward(const float* d_phi, num::View dx) {
  const int d = map_.head_width;
  const int width = num::padded(d);
  if (!is_random(map_.kind)) {
    HWY_DYNAMIC_DISPATCH(pointwise_slope)(map_.kind, x_, d_phi, tokens_ * width, dx_);
    unpack(dx_, width, dx);
    return 0.0;
  }
  const num::View slope{z_, tokens_, map_.directions.cols, logit_width(map_)};
  if (map_.kind == Feature::Fourier) {
    const float sum =
        HWY_DYNAMIC_DISPATCH(fourier_slope)(phi_, d_phi, tokens_, slope.stride, z_);
    num::matmul(slope, map_.transposed, {dx_, tokens_, d, width}, inverse_sigma_);
    backward_fourier(dx);
    return static_cast<double>(sum) / static_cast<double>(inverse_sigma_);
  }
  const float scale = 1.0F / std::sqrt(std::sqrt(static_cast<float>(d)));
  for (int i = 0; i < tokens_; ++i) {
    const int at_token = i * slope.stride;
    length_[i] = HWY_DYNAMIC_DISPATCH(positive_slope)(
        phi_ + at_token, d_phi + at_token, slope.cols, slope.row(i));
  }
  num::matmul(slope, map_.transposed, {dx_, tokens_, d, width}, scale);
  for (int i = 0; i < tokens_; ++i) {
    for (int j = 0; j < d; ++j) {
      dx_[i * width + j] -= scale * length_[i] * x_[i * width + j];
    }
  }
  unpack(dx_, width, dx);
  return 0.0;
}

// The gradient of x / |x| loses its component along x.
void FeatureBlock::backward_fourier(num::View dx) {
  const int d = map_.head_width;
  const int width = num::padded(d);
  for (int i = 0; i < tokens_; ++i) {
    const float* x = x_ + i * width;
    float* slope = dx_ + i * width;
    float along = 0.0F;
    for (int j = 0; j < d; ++j) {
      along += x[j] * slope[j];
    }
    const float share = length_[i] == 0.0F ? 0.0F : 1.0F / length_[i];
    for (int j = 0; j < d; ++j) {
      slope[j] = share * (slope[j] - along * x[j]);
    }
  }
  unpack(dx_, width, dx);
}

}  // namespace oa::attention
#endif
