#include "survey/kernel/sparse/gather.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

// Unrolls loops completely, so that arrays of vectors stay in registers.
#define OA_UNROLL _Pragma("GCC unroll 8")

// clang-format off: it belongs behind the choice of the instruction set
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

constexpr int kTogether = 4;  // keys that are summed in parallel

HWY_INLINE int lanes() {
  return static_cast<int>(hn::Lanes(Floats()));
}

// Loads the vector at column c of a row of d floats, with zeros after the row's end.
template <bool Whole>
HWY_INLINE Vector load(const float* row, int c, int d) {
  if constexpr (Whole) {
    return hn::LoadU(Floats(), row + c);
  } else {
    return load_first(d - c, row + c);
  }
}

template <bool Whole>
HWY_INLINE void store(Vector x, int c, int d, float* row) {
  if constexpr (Whole) {
    hn::StoreU(x, Floats(), row + c);
  } else {
    store_first(x, d - c, row + c);
  }
}

// Writes scale times the lane sums of four vectors.
// Four separate sums would take more instructions than the products of a narrow head.
HWY_INLINE void sum_lanes(const Vector* s, float scale, float* out) {
#if HWY_TARGET == HWY_SCALAR
  for (int i = 0; i < kTogether; ++i) {
    out[i] = scale * hn::GetLane(s[i]);
  }
#else
  const Floats f;
  const hn::Repartition<uint64_t, Floats> pairs;
  const auto halved = [&](Vector a, Vector b) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(f, a, b), hn::InterleaveUpper(f, a, b));
  };
  const auto ab = hn::BitCast(pairs, halved(s[0], s[1]));
  const auto cd = hn::BitCast(pairs, halved(s[2], s[3]));
  const auto four = hn::Add(hn::BitCast(f, hn::InterleaveLower(pairs, ab, cd)),
                            hn::BitCast(f, hn::InterleaveUpper(pairs, ab, cd)));
  const hn::FixedTag<float, 4> block;
#if HWY_MAX_BYTES >= 64
  const hn::Half<Floats> half;
  const auto two = hn::Add(hn::LowerHalf(half, four), hn::UpperHalf(half, four));
  const hn::Half<decltype(half)> quarter;
  const auto sum = hn::Add(hn::LowerHalf(quarter, two), hn::UpperHalf(quarter, two));
#elif HWY_MAX_BYTES >= 32
  const hn::Half<Floats> half;
  const auto sum = hn::Add(hn::LowerHalf(half, four), hn::UpperHalf(half, four));
#else
  const auto sum = four;
#endif
  hn::StoreU(hn::Mul(hn::Set(block, scale), sum), block, out);
#endif
}

// Adds the products of x and four rows at column c to s.
template <bool Whole>
HWY_INLINE void multiply_add(
    const float* x, const float* const* row, int c, int d, Vector* s) {
  const auto left = load<Whole>(x, c, d);
  OA_UNROLL for (int i = 0; i < kTogether; ++i) {
    s[i] = hn::MulAdd(left, load<Whole>(row[i], c, d), s[i]);
  }
}

HWY_INLINE void four_dots(
    const float* x, const float* const* row, int d, float scale, float* out) {
  const int whole = d / lanes() * lanes();
  Vector s[kTogether];
  OA_UNROLL for (int i = 0; i < kTogether; ++i) {
    s[i] = hn::Zero(Floats());
  }
  for (int c = 0; c < whole; c += lanes()) {
    multiply_add<true>(x, row, c, d, s);
  }
  if (whole < d) {
    multiply_add<false>(x, row, whole, d, s);
  }
  sum_lanes(s, scale, out);
}

HWY_ATTR void dots(const float* x,
                   num::ConstView rows,
                   const int* keys,
                   int count,
                   float scale,
                   float* out) {
  const float* row[kTogether];
  int k = 0;
  for (; k + kTogether <= count; k += kTogether) {
    OA_UNROLL for (int i = 0; i < kTogether; ++i) {
      row[i] = rows.row(keys[k + i]);
    }
    four_dots(x, row, rows.cols, scale, out + k);
  }
  if (k < count) {
    // Missing keys are replaced by the last key.
    for (int i = 0; i < kTogether; ++i) {
      row[i] = rows.row(keys[std::min(k + i, count - 1)]);
    }
    float last[kTogether];
    four_dots(x, row, rows.cols, scale, last);
    std::copy_n(last, count - k, out + k);
  }
}

// Computes V vectors of the sum from column c on; the last may be partial.
// Even and odd keys have separate sums,
// so that a multiply-add need not wait for the previous one.
template <int V, bool Whole>
HWY_INLINE void sum_columns(const float* weights,
                            num::ConstView rows,
                            const int* keys,
                            int count,
                            int c,
                            float* x) {
  const Floats f;
  Vector even[V];
  Vector odd[V];
  OA_UNROLL for (int v = 0; v < V; ++v) {
    even[v] = hn::Zero(f);
    odd[v] = hn::Zero(f);
  }
  int k = 0;
  for (; k + 2 <= count; k += 2) {
    const float* row[2] = {rows.row(keys[k]), rows.row(keys[k + 1])};
    const auto w0 = hn::Set(f, weights[k]);
    const auto w1 = hn::Set(f, weights[k + 1]);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const int at = c + v * lanes();
      even[v] = hn::MulAdd(w0, load<Whole>(row[0], at, rows.cols), even[v]);
      odd[v] = hn::MulAdd(w1, load<Whole>(row[1], at, rows.cols), odd[v]);
    }
  }
  if (k < count) {
    const auto w = hn::Set(f, weights[k]);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const int at = c + v * lanes();
      even[v] = hn::MulAdd(w, load<Whole>(rows.row(keys[k]), at, rows.cols), even[v]);
    }
  }
  OA_UNROLL for (int v = 0; v < V; ++v) {
    store<Whole>(hn::Add(even[v], odd[v]), c + v * lanes(), rows.cols, x);
  }
}

HWY_ATTR void weighted_sum(
    const float* weights, num::ConstView rows, const int* keys, int count, float* x) {
  constexpr int kWide = 4;
  int c = 0;
  for (; c + kWide * lanes() <= rows.cols; c += kWide * lanes()) {
    sum_columns<kWide, true>(weights, rows, keys, count, c, x);
  }
  for (; c + lanes() <= rows.cols; c += lanes()) {
    sum_columns<1, true>(weights, rows, keys, count, c, x);
  }
  if (c < rows.cols) {
    sum_columns<1, false>(weights, rows, keys, count, c, x);
  }
}

template <bool Whole>
HWY_INLINE void add_multiple(Vector w, const float* x, int c, int d, float* row) {
  store<Whole>(hn::MulAdd(w, load<Whole>(x, c, d), load<Whole>(row, c, d)), c, d, row);
}

HWY_ATTR void add_multiples(
    const float* weights, const float* x, const int* keys, int count, num::View rows) {
  const int d = rows.cols;
  const int whole = d / lanes() * lanes();
  for (int k = 0; k < count; ++k) {
    const auto w = hn::Set(Floats(), weights[k]);
    float* row = rows.row(keys[k]);
    for (int c = 0; c < whole; c += lanes()) {
      add_multiple<true>(w, x, c, d, row);
    }
    if (whole < d) {
      add_multiple<false>(w, x, whole, d, row);
    }
  }
}

// Replaces every vector of x by change(vector, number of its valid lanes).
template <class Change>
HWY_INLINE void change_all(float* x, int count, Change change) {
  const Floats f;
  int i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    hn::StoreU(change(hn::LoadU(f, x + i), lanes()), f, x + i);
  }
  if (i < count) {
    store_first(change(load_first(count - i, x + i), count - i), count - i, x + i);
  }
}

// Returns the largest number; ignores NaN.
HWY_ATTR float largest(const float* x, int count) {
  const Floats f;
  auto most = hn::Set(f, std::numeric_limits<float>::lowest());
  int i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    const auto s = hn::LoadU(f, x + i);
    most = hn::IfThenElse(hn::Gt(s, most), s, most);
  }
  float top = hn::GetLane(hn::MaxOfLanes(f, most));
  for (; i < count; ++i) {
    top = x[i] > top ? x[i] : top;
  }
  return top;
}

HWY_ATTR float softmax(float* x, int count) {
  const Floats f;
  const float top = largest(x, count);
  auto sums = hn::Zero(f);
  change_all(x, count, [&](Vector s, int some) HWY_ATTR {
    const auto e = hn::IfThenElseZero(hn::FirstN(f, static_cast<size_t>(some)),
                                      exp_of(f, hn::Sub(s, hn::Set(f, top))));
    sums = hn::Add(sums, e);
    return e;
  });
  const float sum = hn::GetLane(hn::SumOfLanes(f, sums));
  const auto share = hn::Set(f, 1.0F / sum);
  change_all(x, count, [&](Vector e, int) HWY_ATTR { return hn::Mul(e, share); });
  return top + std::log(sum);
}

HWY_ATTR void weights(float* x, int count, float log_sum) {
  const Floats f;
  const auto by = hn::Set(f, log_sum);
  change_all(
      x, count, [&](Vector s, int) HWY_ATTR { return exp_of(f, hn::Sub(s, by)); });
}

#undef OA_UNROLL

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(dots);
HWY_EXPORT(weighted_sum);
HWY_EXPORT(add_multiples);
HWY_EXPORT(softmax);
HWY_EXPORT(weights);

int size_of(std::span<const int> keys) {
  return static_cast<int>(keys.size());
}

}  // namespace

void gather_dots(const float* x,
                 num::ConstView rows,
                 std::span<const int> keys,
                 float scale,
                 std::span<float> out) {
  assert(keys.size() == out.size());
  HWY_DYNAMIC_DISPATCH(dots)(x, rows, keys.data(), size_of(keys), scale, out.data());
}

void gather_sum(std::span<const float> weights,
                num::ConstView rows,
                std::span<const int> keys,
                float* x) {
  assert(keys.size() == weights.size());
  HWY_DYNAMIC_DISPATCH(weighted_sum)
  (weights.data(), rows, keys.data(), size_of(keys), x);
}

void scatter_add(std::span<const float> weights,
                 const float* x,
                 std::span<const int> keys,
                 num::View rows) {
  assert(keys.size() == weights.size());
  HWY_DYNAMIC_DISPATCH(add_multiples)
  (weights.data(), x, keys.data(), size_of(keys), rows);
}

float softmax_in_place(std::span<float> logits) {
  if (logits.empty()) {
    return -std::numeric_limits<float>::infinity();
  }
  return HWY_DYNAMIC_DISPATCH(softmax)(logits.data(), static_cast<int>(logits.size()));
}

void weights_in_place(std::span<float> logits, float log_sum) {
  HWY_DYNAMIC_DISPATCH(weights)
  (logits.data(), static_cast<int>(logits.size()), log_sum);
}

std::span<const int> list_keys(const Pattern& pattern, int query, std::span<int> keys) {
  std::size_t count = 0;
  const auto list = [&](const Run& run) {
    for (int j = run.begin; j < run.end; ++j) {
      keys[count++] = j;
    }
  };
  if (pattern.is_band()) {
    list(pattern.band_row(query));
  } else {
    std::ranges::for_each(pattern.runs(query), list);
  }
  return keys.first(count);
}

int largest_degree(const Pattern& pattern) {
  int most = 0;
  for (int q = 0; q < pattern.queries(); ++q) {
    most = std::max(most, pattern.degree(q));
  }
  return most;
}

void list_backward(const ListRow& row,
                   num::ConstView k,
                   num::ConstView v,
                   float scale,
                   float* dq,
                   num::View dk,
                   num::View dv) {
  gather_dots(row.d_o, v, row.keys, 1.0F, row.d_logits);
  float mean = 0.0F;
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    mean += row.weights[i] * row.d_logits[i];
  }
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    row.d_logits[i] = scale * row.weights[i] * (row.d_logits[i] - mean);
  }
  gather_sum(row.d_logits, k, row.keys, dq);
  scatter_add(row.d_logits, row.q, row.keys, dk);
  scatter_add(row.weights, row.d_o, row.keys, dv);
}

}  // namespace oa::attention
#endif
