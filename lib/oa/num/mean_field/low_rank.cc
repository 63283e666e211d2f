#include "oa/num/mean_field/low_rank.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;

#define OA_UNROLL _Pragma("GCC unroll 16")

// A block of sums in registers: kRows x kVectors.
#if HWY_TARGET <= HWY_AVX3
constexpr int kRows = 16;
constexpr int kVectors = 1;
#elif HWY_ARCH_ARM_A64
constexpr int kRows = 4;
constexpr int kVectors = 4;
#else
constexpr int kRows = 4;
constexpr int kVectors = 2;
#endif

// Keys with S = root^2 below kSteep times the mean, more than half of all keys,
// hardly change the direction of a step.
constexpr float kSteep = 0.01F;

// Lists the remaining keys in the memory `room`.
HWY_ATTR std::span<const int> steep_keys(std::span<const float> root,
                                         std::span<int> room) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < root.size(); k += lanes) {
    const auto some = hn::Load(d, &root[k]);
    sum = hn::MulAdd(some, some, sum);
  }
  const auto share = hn::Set(d, kSteep / static_cast<float>(root.size()));
  const auto least = hn::Mul(share, hn::SumOfLanes(d, sum));
  std::size_t count = 0;
  for (std::size_t k = 0; k < root.size(); k += lanes) {
    const auto some = hn::Load(d, &root[k]);
    const auto steep = hn::Gt(hn::Mul(some, some), least);
    count += hn::CompressStore(
        hn::Iota(di, static_cast<int>(k)), hn::RebindMask(di, steep), di, &room[count]);
  }
  return room.first(count);
}

// Computes kRows rows of V'SV in kVectors vectors of columns, for S = root^2 of `keys`.
HWY_ATTR void weigh_block(ConstView v,
                          const float* root,
                          std::span<const int> keys,
                          int row,
                          int column,
                          View to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  hn::Vec<Floats> sum[kRows][kVectors];
  OA_UNROLL for (int r = 0; r < kRows; ++r) {
    OA_UNROLL for (int c = 0; c < kVectors; ++c) {
      sum[r][c] = hn::Zero(d);
    }
  }
  for (const int key : keys) {
    const float* const left = v.row(key) + row;
    const auto weight = hn::Set(d, root[key] * root[key]);
    hn::Vec<Floats> right[kVectors];
    OA_UNROLL for (int c = 0; c < kVectors; ++c) {
      right[c] = hn::Mul(weight, hn::Load(d, v.row(key) + column + c * lanes));
    }
    OA_UNROLL for (int r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, left[r]);
      OA_UNROLL for (int c = 0; c < kVectors; ++c) {
        sum[r][c] = hn::MulAdd(factor, right[c], sum[r][c]);
      }
    }
  }
  OA_UNROLL for (int r = 0; r < kRows; ++r) {
    OA_UNROLL for (int c = 0; c < kVectors; ++c) {
      hn::Store(sum[r][c], d, to.row(row + r) + column + c * lanes);
    }
  }
}

// Computes the lower triangle of V'SV and a part of the upper triangle.
HWY_ATTR void weigh_columns(ConstView v,
                            std::span<const float> root,
                            std::span<int> room,
                            View to) {
  const std::span<const int> keys = steep_keys(root, room);
  const int wide = kVectors * static_cast<int>(hn::Lanes(Floats()));
  for (int row = 0; row < v.cols; row += kRows) {
    for (int column = 0; column < row + kRows; column += wide) {
      weigh_block(v, root.data(), keys, row, column, to);
    }
  }
}

// Subtracts V'x from sums.  Adds partial sums of a few rows to doubles.
HWY_ATTR void subtract_columns(ConstView v, const float* x, double* sums) {
  constexpr int kRowsOfSum = 64;
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int column = 0; column < v.cols; column += lanes) {
    HWY_ALIGN float part[kLane];
    for (int first = 0; first < v.rows; first += kRowsOfSum) {
      const int end = HWY_MIN(first + kRowsOfSum, v.rows);
      hn::Vec<Floats> sum[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      int k = first;
      for (; k + 4 <= end; k += 4) {
        OA_UNROLL for (int i = 0; i < 4; ++i) {
          sum[i] = hn::MulAdd(
              hn::Set(d, x[k + i]), hn::Load(d, v.row(k + i) + column), sum[i]);
        }
      }
      for (; k < end; ++k) {
        sum[0] = hn::MulAdd(hn::Set(d, x[k]), hn::Load(d, v.row(k) + column), sum[0]);
      }
      hn::Store(hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3])), d, part);
      for (int c = 0; c < lanes && column + c < v.cols; ++c) {
        sums[column + c] -= static_cast<double>(part[c]);
      }
    }
  }
}

#undef OA_UNROLL

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "oa/num/activation.h"
#include "oa/num/cholesky.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oa::num {
namespace {

HWY_EXPORT(weigh_columns);
HWY_EXPORT(subtract_columns);

constexpr int kMaxLooks = 200;
constexpr double kShortest = 1.0 / 1024.0;  // minimum difference of two step lengths
// If the error is below kNear, a step of little gain is the last: the rest is rounding.
constexpr double kNear = 1e-3;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

template <class Value>
std::span<Value> room_for(int count, Arena& arena) {
  const auto size = static_cast<std::size_t>(count);
  return {static_cast<Value*>(arena.allocate(size * sizeof(Value))), size};
}

}  // namespace

LowRankMeanField::LowRankMeanField(int m, Arena& arena)
    : root_(zeros(1, m, arena)),
      keys_(room_for<int>(padded(m), arena)),
      weighed_(zeros(kMaxColumns, kMaxColumns, arena)),
      system_(room_for<double>(kMaxColumns * kMaxColumns, arena)),
      u_(zeros(1, kMaxColumns, arena)) {}

void LowRankMeanField::solve(const Gram& j,
                             ConstView h,
                             float temperature,
                             float stiffest,
                             float tolerance,
                             View x,
                             View g) {
  const auto columns = static_cast<std::size_t>(j.factor.cols);
  const std::span left = std::span<const double>(left_).first(columns);
  const std::span step = std::span<const double>(step_).first(columns);
  // The largest change of x with u: |v_k| scale/(4T).
  const double slope_of_x =
      std::sqrt(static_cast<double>(j.scale) * static_cast<double>(stiffest)) /
      (4.0 * static_cast<double>(temperature));
  fill({u_.data, 1, j.factor.cols, u_.stride}, 0.0F);
  step_.fill(0.0);
  double length = 0.0;   // of the current step
  double low = 0.0;      // known to be short enough
  double high = 0.0;     // known to be too long; 0: unknown
  double descent = 0.0;  // minus the slope at the start of the step
  double before = 0.0;   // norm of the gradient at the start of the step
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    look(j, h, temperature, x, g);
    const double size = std::sqrt(product(left, left));
    const double error = slope_of_x * size;
    const bool stands = looks > 0 && error < kNear && size > 0.5 * before;
    // NaN also ends the row: no step would help.
    if (!(error > static_cast<double>(tolerance)) || stands) {
      return;
    }
    const double slope = product(left, step);
    const bool is_long = slope > 0.5 * descent;
    const bool is_short = slope < -0.5 * descent && high > 0.0;
    low = is_short ? length : low;
    high = is_long ? length : high;
    if ((is_long || is_short) && high - low > kShortest) {
      const double middle = (low + high) / 2.0;
      move(middle - length, columns);
      length = middle;
      continue;
    }
    find_step(j);
    move(1.0, columns);
    length = 1.0;
    low = high = 0.0;
    descent = -product(left, step);
    before = size;
  }
}

void LowRankMeanField::look(
    const Gram& j, ConstView h, float temperature, View x, View g) {
  const int columns = j.factor.cols;
  copy(h, g);
  matmul_add({u_.data, 1, columns, u_.stride}, j.transposed, g, j.scale);
  logistic(g, temperature, x, {root_.data, 1, x.cols, root_.stride});
  std::copy_n(u_.data, columns, left_.begin());
  HWY_DYNAMIC_DISPATCH(subtract_columns)(j.factor, x.data, left_.data());
}

void LowRankMeanField::find_step(const Gram& j) {
  const auto columns = static_cast<std::size_t>(j.factor.cols);
  HWY_DYNAMIC_DISPATCH(weigh_columns)
  (j.factor, {root_.data, static_cast<std::size_t>(j.factor.rows)}, keys_, weighed_);
  const std::span system = system_.first(columns * columns);
  for (int i = 0; i < j.factor.cols; ++i) {
    double* const row = &system[static_cast<std::size_t>(i) * columns];
    for (int k = i; k < j.factor.cols; ++k) {
      row[k] = static_cast<double>(j.scale) * static_cast<double>(weighed_(k, i));
    }
    row[i] += 1.0;
  }
  const std::span step = std::span(step_).first(columns);
  std::ranges::transform(
      std::span(left_).first(columns), step.begin(), [](double r) { return -r; });
  cholesky_solve(system, step);
}

void LowRankMeanField::move(double length, std::size_t columns) {
  for (std::size_t k = 0; k < columns; ++k) {
    u_.data[k] += static_cast<float>(length * step_[k]);
  }
}

}  // namespace oa::num
#endif
