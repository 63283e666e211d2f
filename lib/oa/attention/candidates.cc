#include "oa/attention/candidates.h"

#include "oa/num/box/qp.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace oa::attention {
namespace {

// Size of the buffer as a multiple of `count`; larger buffers are reduced less often.
constexpr int kRoom = 4;

}  // namespace

Candidates::Candidates(int count, int d, Arena& arena)
    : chosen_(static_cast<int*>(arena.allocate(sizeof(int) * kRoom *
                                               static_cast<std::size_t>(count))),
              kRoom * static_cast<std::size_t>(count)),
      values_(num::zeros(count, d, arena)),
      transposed_(num::zeros(d, count, arena)),
      j_(num::zeros(count, count, arena)),
      h_(num::zeros(1, count, arena)),
      x_(num::zeros(1, count, arena)),
      gradient_(num::zeros(1, count, arena)) {}

/// Chooses the lowest h; equal h by index.  NaN ranks below all numbers.
void Candidates::choose(std::span<const float> h) {
  const auto of = [h](int i) {
    const float value = h[static_cast<std::size_t>(i)];
    return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
  };
  const auto better = [of](int a, int b) {
    return of(a) < of(b) || (of(a) == of(b) && a < b);
  };
  const int count = values_.rows;
  const auto begin = chosen_.begin();
  int size = 0;
  float worst = 0.0F;  // the highest of the best `count` so far
  for (int i = 0; i < static_cast<int>(h.size()); ++i) {
    if (size >= count && h[static_cast<std::size_t>(i)] >= worst) {
      continue;  // in most cases
    }
    begin[size++] = i;
    if (size == count || size == std::ssize(chosen_)) {
      std::nth_element(begin, begin + count - 1, begin + size, better);
      size = count;
      worst = of(begin[count - 1]);
    }
  }
  std::nth_element(begin, begin + count - 1, begin + size, better);
  std::sort(begin, begin + count);  // sorted by position in memory
}

void Candidates::solve(num::ConstView v,
                       float scale,
                       int sweeps,
                       std::span<const float> h,
                       std::span<float> x) {
  assert(h.size() == x.size() && std::ssize(h) >= values_.rows);
  choose(h);
  const std::span<const int> chosen =
      chosen_.first(static_cast<std::size_t>(values_.rows));
  float* of_candidates = h_.row(0);
  for (int k = 0; k < values_.rows; ++k) {
    const int i = chosen[static_cast<std::size_t>(k)];
    std::copy_n(v.row(i), v.cols, values_.row(k));
    of_candidates[k] = h[static_cast<std::size_t>(i)];
  }
  num::transpose(values_, transposed_);
  num::matmul(values_, transposed_, j_, 2.0F * scale * scale);
  num::box_qp_descent({j_}, h_, {.sweeps = sweeps}, x_, gradient_);
  std::ranges::fill(x, 0.0F);
  for (int k = 0; k < values_.rows; ++k) {
    x[static_cast<std::size_t>(chosen[static_cast<std::size_t>(k)])] = x_(0, k);
  }
}

}  // namespace oa::attention
