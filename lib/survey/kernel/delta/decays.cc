#include "survey/kernel/delta/decays.h"

#include "oa/base/index.h"
#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Replaces packed logarithms log a by their sums since the start of a chunk.  The sum
// excludes the chunk's first token, whose decay a is stored in `first`.  A chunk starts
// at token 0 and where a |sum| would exceed `limit`.  Returns the number of chunks.
HWY_ATTR int sum_logs(
    float* sums, float* first, int tokens, int width, float limit, int* begins) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto most = hn::Set(d, limit);
  int count = 0;
  for (int t = 0; t < tokens; ++t, sums += width, first += width) {
    bool begin = t == 0;
    for (int j = 0; j < width && !begin; j += lanes) {
      const auto sum = hn::Add(hn::Load(d, sums + j), hn::Load(d, sums + j - width));
      begin = !hn::AllFalse(d, hn::Gt(hn::Abs(sum), most));
    }
    for (int j = 0; j < width; j += lanes) {
      const auto log = hn::Load(d, sums + j);
      if (begin) {
        hn::Store(exp_of(d, log), d, first + j);
        hn::Store(hn::Zero(d), d, sums + j);
      } else {
        hn::Store(hn::Add(log, hn::Load(d, sums + j - width)), d, sums + j);
      }
    }
    if (begin) {
      begins[count++] = t;
    }
  }
  return count;
}

HWY_ATTR void exponentials_of_sums(const float* x,
                                   int size,
                                   float* shrink,
                                   float* grow) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < size; i += lanes) {
    const auto sum = hn::Load(d, x + i);
    hn::Store(exp_of(d, sum), d, shrink + i);
    hn::Store(exp_of(d, hn::Neg(sum)), d, grow + i);
  }
}

HWY_ATTR void multiply_rows(const float* factors, num::View state) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < state.rows; ++i) {
    const auto by = hn::Set(d, factors[i]);
    float* row = state.row(i);
    for (int j = 0; j < state.stride; j += lanes) {
      hn::Store(hn::Mul(by, hn::Load(d, row + j)), d, row + j);
    }
  }
}

HWY_ATTR void slopes_of_keys(const KeySlopes& at, int tokens, int keys) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < keys; j += lanes) {
    auto decay = hn::Load(d, at.later + j);
    for (int i = j + (tokens - 1) * keys; i >= 0; i -= keys) {
      const auto dq = hn::Load(d, at.dq + i);
      const auto dk = hn::Load(d, at.dk + i);
      const auto dk_grown = hn::Load(d, at.dk_grown + i);
      decay = hn::MulAdd(hn::Load(d, at.q + i), dq, decay);
      decay = hn::Add(hn::Mul(hn::Load(d, at.k + i), dk), decay);
      decay = hn::NegMulAdd(hn::Load(d, at.k_grown + i), dk_grown, decay);
      hn::Store(decay, d, at.d_decay + i);
      const auto shrink = hn::Load(d, at.shrink + i);
      hn::Store(hn::Mul(shrink, dq), d, at.dq + i);
      hn::Store(hn::MulAdd(shrink, dk, hn::Mul(hn::Load(d, at.grow + i), dk_grown)),
                d,
                at.dk + i);
    }
  }
}

HWY_ATTR void sums_of_rows(const float* x, int width, num::View out) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < out.rows; ++i, x += width) {
    auto sum = hn::Zero(d);
    for (int j = 0; j < width; j += lanes) {
      sum = hn::Add(sum, hn::Load(d, x + j));
    }
    out(i, 0) = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(sum_logs);
HWY_EXPORT(exponentials_of_sums);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(slopes_of_keys);
HWY_EXPORT(sums_of_rows);

constexpr float kLargestLogSum = 40.0F;

// Copies column 0 of packed rows of kLane floats to all columns.
void spread(const float* from, int rows, int width, float* to) {
  for (int i = 0; i < rows; ++i) {
    std::fill_n(to + static_cast<std::ptrdiff_t>(i) * width,
                width,
                from[static_cast<std::ptrdiff_t>(i) * num::kLane]);
  }
}

}  // namespace

DeltaDecays::DeltaDecays(int key_width, Arena& arena)
    : keys_(num::padded(key_width)),
      sums_(zeroed_floats(kDeltaTokens * keys_, arena)),
      first_(zeroed_floats(kDeltaTokens * keys_, arena)),
      shrink_(zeroed_floats(kDeltaTokens * keys_, arena)),
      grow_(zeroed_floats(kDeltaTokens * keys_, arena)) {}

void DeltaDecays::make(num::ConstView log_decay) {
  const int tokens = log_decay.rows;
  none_ = log_decay.cols == 0;
  if (none_) {
    std::fill_n(first_, keys_, 1.0F);
    std::fill_n(shrink_, tokens * keys_, 1.0F);
    std::fill_n(grow_, tokens * keys_, 1.0F);
    chunks_[0] = {0, tokens};
    used_ = 1;
    return;
  }
  const int width = num::padded(log_decay.cols);
  std::array<int, kDeltaTokens> begins{};
  pack(log_decay, 1.0F, sums_, width);
  used_ = HWY_DYNAMIC_DISPATCH(sum_logs)(
      sums_, first_, tokens, width, kLargestLogSum, begins.data());
  for (int i = 0; i < used_; ++i) {
    chunks_[at(i)] = {begins[at(i)], i + 1 < used_ ? begins[at(i + 1)] : tokens};
  }
  HWY_DYNAMIC_DISPATCH(exponentials_of_sums)(sums_, tokens * width, shrink_, grow_);
  if (log_decay.cols == 1) {
    std::array<float, kDeltaTokens * num::kLane> one{};
    for (float* all : {first_, shrink_, grow_}) {
      std::copy_n(all, tokens * num::kLane, one.data());
      spread(one.data(), tokens, keys_, all);
    }
  }
}

const float* DeltaDecays::shrink(int token) const {
  return shrink_ + static_cast<std::ptrdiff_t>(token) * keys_;
}

const float* DeltaDecays::grow(int token) const {
  return grow_ + static_cast<std::ptrdiff_t>(token) * keys_;
}

void DeltaDecays::enter(const DeltaChunk& chunk, num::View state) const {
  if (!none_) {
    HWY_DYNAMIC_DISPATCH(multiply_rows)
    (first_ + static_cast<std::ptrdiff_t>(chunk.begin) * keys_, state);
  }
}

void DeltaDecays::leave(const DeltaChunk& chunk, num::View state) const {
  if (!none_ && chunk.end - chunk.begin > 1) {
    HWY_DYNAMIC_DISPATCH(multiply_rows)(shrink(chunk.end - 1), state);
  }
}

void key_slopes(const KeySlopes& at, int tokens, int keys) {
  HWY_DYNAMIC_DISPATCH(slopes_of_keys)(at, tokens, keys);
}

void row_sums(const float* x, int width, num::View out) {
  HWY_DYNAMIC_DISPATCH(sums_of_rows)(x, width, out);
}

}  // namespace oa::attention
#endif
