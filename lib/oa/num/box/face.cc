#include "oa/num/box/face.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: read once for each target, so after foreach_target.h
#include "oa/num/box/sweep-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

using box::Floats;

// Lists the coordinates strictly between 0 and 1.
// Returns their number, or 0 if there are more than `most`.
HWY_ATTR int list_inside(const float* x, int count, int most, int* list) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int size = 0;
  for (int k = 0; k < count; k += lanes) {
    const auto v = hn::Load(d, x + k);
    const auto inside = hn::And(hn::Gt(v, hn::Zero(d)), hn::Lt(v, hn::Set(d, 1.0F)));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, inside, bits);
    for (unsigned left = bits[0] | unsigned{bits[1]} << 8; left != 0;
         left &= left - 1) {
      if (size == most) {
        return 0;
      }
      list[size++] = k + std::countr_zero(left);
    }
  }
  return size;
}

// Computes j = scale * rows * rows' for the first `size` rows.
HWY_ATTR void multiply_rows(
    ConstView rows, int size, float scale, float* j, int stride) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b <= a; ++b) {
      auto sum = hn::Zero(d);
      for (int c = 0; c < rows.cols; c += lanes) {
        sum =
            hn::MulAdd(hn::Load(d, rows.row(a) + c), hn::Load(d, rows.row(b) + c), sum);
      }
      const float product = scale * hn::GetLane(hn::SumOfLanes(d, sum));
      j[a * stride + b] = product;
      j[b * stride + a] = product;
    }
  }
}

// Solves a positive semidefinite system, restricted to rows and columns `list`, by
// Gauss-Jordan elimination.  Column `size` holds the right side and becomes the
// solution; a coordinate with a pivot of at most `least` becomes 0.
HWY_ATTR void solve_rows(
    float* matrix, int stride, int size, const int* list, int count, float least) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::uint64_t dropped = 0;
  for (int p = 0; p < count; ++p) {
    const int k = list[p];
    const float* const row = matrix + k * stride;
    if (row[k] <= least) {
      dropped |= std::uint64_t{1} << p;
      continue;
    }
    const float share = 1.0F / row[k];
    const int first = k / lanes * lanes;  // skips columns that are already eliminated
    for (int q = 0; q < count; ++q) {
      float* const other = matrix + list[q] * stride;
      if (q != p) {
        const auto by = hn::Set(d, -share * other[k]);
        box::add_row(row + first, by, size + 1 - first, other + first);
      }
    }
  }
  for (int p = 0; p < count; ++p) {
    float* const row = matrix + list[p] * stride;
    row[size] = (dropped >> p & 1) != 0 ? 0.0F : row[size] / row[list[p]];
  }
}

// Sets sums to `by` times the rows `list` of a symmetric matrix.
HWY_ATTR void add_rows(const float* matrix,
                       int stride,
                       int size,
                       const int* list,
                       int count,
                       const float* by,
                       float* sums) {
  std::fill_n(sums, padded(size), 0.0F);
  for (int p = 0; p < count; ++p) {
    const auto factor = hn::Set(Floats(), by[list[p]]);
    box::add_row(matrix + list[p] * stride, factor, size, sums);
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(list_inside);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(solve_rows);
HWY_EXPORT(add_rows);

constexpr float kFlat = 1e-5F;  // of the largest curvature; smaller pivots are rounding

}  // namespace

void BoxFace::list(const float* x, int count) {
  size_ = HWY_DYNAMIC_DISPATCH(list_inside)(x, count, kMax, index_);
}

void BoxFace::take(ConstView j, const float* x, const float* gradient) {
  for (int a = 0; a < size_; ++a) {
    const float* const row = j.row(index_[a]);
    for (int b = 0; b < size_; ++b) {
      j_[a][b] = row[index_[b]];
    }
  }
  begin(x, gradient);
}

void BoxFace::take(ConstView rows, float scale, const float* x, const float* gradient) {
  HWY_DYNAMIC_DISPATCH(multiply_rows)(rows, size_, scale, j_[0], kStride);
  begin(x, gradient);
}

void BoxFace::begin(const float* x, const float* gradient) {
  for (int a = 0; a < size_; ++a) {
    std::fill(j_[a] + size_, j_[a] + padded(size_ + 1), 0.0F);
    x_[a] = x[index_[a]];
    g_[a] = gradient[a];
  }
  left_count_ = size_;
  std::iota(left_, left_ + size_, 0);
}

void BoxFace::minimize() {
  while (left_count_ > 0) {
    find_step();
    const bool stopped = stop_at_bounds();
    go();
    if (!stopped) {
      break;
    }
  }
}

void BoxFace::find_step() {
  float largest = 0.0F;
  for (int p = 0; p < left_count_; ++p) {
    const int a = left_[p];
    std::copy_n(j_[a], padded(size_ + 1), reduced_[a]);
    reduced_[a][size_] = -g_[a];
    largest = std::max(largest, j_[a][a]);
  }
  HWY_DYNAMIC_DISPATCH(solve_rows)
  (reduced_[0], kStride, size_, left_, left_count_, kFlat * largest);
  for (int p = 0; p < left_count_; ++p) {
    const int a = left_[p];
    whole_step_[a] = reduced_[a][size_];
  }
}

// Clamps each coordinate at its bound if that is a descent, else shortens the step
// until the first coordinate reaches a bound.  Returns whether the step was too long.
bool BoxFace::stop_at_bounds() {
  float share = 1.0F;
  for (int p = 0; p < left_count_; ++p) {
    const int a = left_[p];
    const float step = whole_step_[a];
    const float room = step < 0.0F ? -x_[a] : 1.0F - x_[a];
    step_[a] = step;
    if (std::abs(step) > std::abs(room)) {
      share = std::min(share, room / step);
      step_[a] = room;
    }
  }
  if (change_by_step() >= 0.0F && share < 1.0F) {
    for (int p = 0; p < left_count_; ++p) {
      step_[left_[p]] = share * whole_step_[left_[p]];
    }
    change_by_step();
  }
  return share < 1.0F;
}

// Computes change_; returns the change of the function by the step.
float BoxFace::change_by_step() {
  HWY_DYNAMIC_DISPATCH(add_rows)
  (j_[0], kStride, size_, left_, left_count_, step_, change_);
  float sum = 0.0F;
  for (int p = 0; p < left_count_; ++p) {
    const int a = left_[p];
    sum += step_[a] * (g_[a] + 0.5F * change_[a]);
  }
  return sum;
}

void BoxFace::go() {
  constexpr float kNear = 1e-6F;  // distance from a bound that counts as 0
  int still = 0;
  for (int p = 0; p < left_count_; ++p) {
    const int a = left_[p];
    const float x = x_[a] + step_[a];
    g_[a] += change_[a];
    x_[a] = x < kNear ? 0.0F : x > 1.0F - kNear ? 1.0F : x;
    if (x_[a] > 0.0F && x_[a] < 1.0F) {
      left_[still++] = a;
    }
  }
  left_count_ = still;
}

}  // namespace oa::num
#endif
