// Weights of the keys of a panel, and sums of its values.
// Only decode.cc includes this file, once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_DECODE_PANEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_DECODE_PANEL_INL
#undef OA_ATTENTION_KERNEL_DECODE_PANEL_INL
#else
#define OA_ATTENTION_KERNEL_DECODE_PANEL_INL
#endif

#include "oa/attention/kernel/exponent-inl.h"
#include "survey/kernel/decode/job.h"
#include "survey/kernel/prefetch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Unrolls loops completely, so that arrays of vectors stay in registers.
#ifndef OA_UNROLL
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace decoding {

namespace hn = hwy::HWY_NAMESPACE;
constexpr int kPanel = DecodePart::kPanel;
constexpr int kLanes = DecodePart::kLanes;
using Floats = hn::CappedTag<float, kLanes>;
using Vector = hn::Vec<Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

// The number of vectors of sums that fit into registers beside the operands.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kSums = 16;
#else
constexpr int kSums = 8;
#endif
// The maximum number of heads at a time: all of them use each loaded vector.
constexpr int kHeads = kSums / 2;

// The number of vectors of a row that `heads` heads read at a time.
constexpr int vectors_of(int heads) {
  return std::min(kSums / heads, 8);
}

// Sums are rescaled once a logit exceeds the reference by this number of powers of 2.
constexpr float kSlack = 8.0F;

constexpr int kMaxLanes = static_cast<int>(hn::MaxLanes(Floats()));

HWY_INLINE int lanes() {
  return static_cast<int>(hn::Lanes(Floats()));
}

HWY_INLINE Vector load(const float* from) {
  return hn::LoadU(Floats(), from);
}

HWY_INLINE Vector load(const std::uint16_t* from) {
  return hn::PromoteTo(
      Floats(), hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(from)));
}

// Prefetches a line after x is known.  Compilers would put several prefetches side by
// side, which would occupy all line fill buffers and delay current loads.
HWY_INLINE void fetch_after(Vector& /*x*/, NoPrefetch& /*lines*/) {}

HWY_INLINE void fetch_after(Vector& x, StreamPrefetch& streams) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  (void)x;
#else
  auto raw = x.raw;  // an element of an array would put the array into memory
#if HWY_ARCH_X86
  asm volatile("" : "+v"(raw), "+r"(streams.line));
#elif HWY_ARCH_ARM_A64
  asm volatile("" : "+w"(raw), "+r"(streams.line));
#endif
  x.raw = raw;
#endif
  streams.fetch_next();
}

// x *= factor
HWY_INLINE void scale(float* x, int count, Vector factor) {
  for (int i = 0; i < count; i += lanes()) {
    hn::Store(hn::Mul(factor, hn::Load(Floats(), x + i)), Floats(), x + i);
  }
}

// Makes the sums of a head relative to the largest of `logits`, which belong to keys
// `first`, `first` + 1, ... of a panel.  Sums before the first key are 0.
HWY_NOINLINE void raise(
    const DecodeShape& t, const DecodePart& part, int head, int first, Vector logits) {
  const float highest = hn::GetLane(hn::MaxOfLanes(Floats(), logits));
  const float before = std::exchange(part.top[head], highest);
  if (before == -std::numeric_limits<float>::infinity()) {
    return;
  }
  const auto factor = hn::Set(Floats(), std::exp2(before - highest));
  scale(part.sum + head * kLanes, lanes(), factor);
  scale(part.o + head * t.padded, t.padded, factor);
  scale(part.p + head * kPanel, first, factor);
}

// Replaces the logits (base 2) of keys `first`, `first` + 1, ... of a panel by weights.
// Keys from `count` on get weight 0.
template <int Vectors, class Prefetch>
HWY_INLINE void weigh(const DecodeShape& t,
                      const DecodePart& part,
                      int head,
                      int first,
                      int count,
                      Prefetch& lines,
                      Vector (&logit)[Vectors]) {
  const Floats d;
  if (count < kPanel) {
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      const int some = std::clamp(count - first - v * lanes(), 0, lanes());
      logit[v] = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(some)),
                                logit[v],
                                hn::Set(d, -std::numeric_limits<float>::infinity()));
    }
  }
  auto highest = logit[0];
  OA_UNROLL for (int v = 1; v < Vectors; ++v) {
    highest = hn::Max(highest, logit[v]);
  }
  const auto most = hn::Set(d, part.top[head] + kSlack);
  if (!hn::AllTrue(d, hn::Le(highest, most))) {
    raise(t, part, head, first, highest);
  }
  const auto top = hn::Set(d, part.top[head]);
  auto sum = hn::Load(d, part.sum + head * kLanes);
  OA_UNROLL for (int v = 0; v < Vectors; ++v) {
    const auto e = exp2_below_128(d, hn::Sub(logit[v], top));
    sum = hn::Add(sum, e);
    fetch_after(sum, lines);
    hn::Store(e, d, part.p + head * kPanel + first + v * lanes());
  }
  hn::Store(sum, d, part.sum + head * kLanes);
}

// The number of cache lines that so many vectors of a row occupy.
template <class Element>
constexpr int lines_for(int vectors) {
  return std::max(1, vectors * kMaxLanes * static_cast<int>(sizeof(Element)) / 64);
}

// The distance in bytes of prefetches from the L2 to the L1 cache.
// Only rows that many heads read leave time for such prefetches.
constexpr int kSoon = 4096;

template <int Heads, int Lines, class Element>
HWY_INLINE void fetch_soon(const Element* row) {
  if constexpr (Heads >= 4) {
    OA_UNROLL for (int i = 0; i < Lines; ++i) {
      __builtin_prefetch(reinterpret_cast<const char*>(row) + kSoon + 64 * i, 0, 3);
    }
  }
}

// Adds factors[h * stride] * row to sum[h], with prefetches spread evenly.
template <int Heads, int Vectors, class Element, class Prefetch>
HWY_INLINE void add_row(const float* factors,
                        int stride,
                        const Element* row,
                        Prefetch& lines,
                        Vector (&sum)[Heads][Vectors]) {
  constexpr int kLines = lines_for<Element>(Vectors);
  Vector all[Vectors];
  OA_UNROLL for (int v = 0; v < Vectors; ++v) {
    all[v] = load(row + v * lanes());
  }
  fetch_soon<Heads, kLines>(row);
  constexpr int kEvery = Heads * Vectors / kLines;
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    const auto factor = hn::Set(Floats(), factors[h * stride]);
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      sum[h][v] = hn::MulAdd(factor, all[v], sum[h][v]);
      if ((h * Vectors + v) % kEvery == kEvery - 1) {
        fetch_after(sum[h][v], lines);
      }
    }
  }
}

// Computes the weights of keys `first`, ... of a panel for Heads heads of a group,
// and prefetches a line for each vector of weights.
// Not inlined: with the registers of the caller, the sums would not fit.
template <int Heads, int Vectors, class Element, class Prefetch>
HWY_NOINLINE void score(const DecodeShape& t,
                        const float* q,
                        const Element* k,
                        Prefetch& prefetch,
                        const DecodePart& part,
                        int head,
                        int first,
                        int count) {
  q += head * t.padded;
  k += first;
  Vector sum[Heads][Vectors];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      sum[h][v] = hn::Zero(Floats());
    }
  }
  Prefetch lines = prefetch;  // in registers
  for (int i = 0; i < t.width; ++i, ++q, k += t.panel) {
    add_row(q, t.padded, k, lines, sum);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    weigh(t, part, head + h, first, count, lines, sum[h]);
  }
  prefetch = lines;
}

// Adds p[h][j] v[j] to o[h] in the columns from i on,
// for Heads heads of a group and `count` rows of a panel.
template <int Heads, int Columns, class Element, class Prefetch>
HWY_NOINLINE void add_columns(const DecodeShape& t,
                              const Element* v,
                              Prefetch& prefetch,
                              const DecodePart& part,
                              int head,
                              int i,
                              int count) {
  const Floats d;
  float* o = part.o + head * t.padded + i;
  const float* p = part.p + head * kPanel;
  v += i;
  Vector sum[Heads][Columns];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      sum[h][c] = hn::Load(d, o + h * t.padded + c * lanes());
    }
  }
  Prefetch lines = prefetch;  // in registers
  for (int j = 0; j < count; ++j, ++p, v += t.width) {
    add_row(p, kPanel, v, lines, sum);
  }
  prefetch = lines;
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      hn::Store(sum[h][c], d, o + h * t.padded + c * lanes());
    }
  }
}

// The steps in which Heads heads read a row of values: first of kMax vectors,
// then of kSome, then of one.  Results of the last step beyond the row are not used.
template <int Heads>
struct RowSteps {
  static constexpr int kMax = vectors_of(Heads);
  static constexpr int kSome = std::min(kMax, 4);
  int most;
  int some;
  int single;

  HWY_INLINE explicit RowSteps(int width)
      : most(width / (kMax * lanes())),
        some((width - most * kMax * lanes()) / (kSome * lanes())),
        single((width + lanes() - 1) / lanes() - most * kMax - some * kSome) {}
  /// The number of lines to prefetch during a row.
  template <class Element>
  [[nodiscard]] HWY_INLINE int lines() const {
    return most * lines_for<Element>(kMax) + some * lines_for<Element>(kSome) +
           single * lines_for<Element>(1);
  }
};

template <int Heads, class Element, class Prefetch>
HWY_INLINE void add_values(const DecodeShape& t,
                           const RowSteps<Heads>& steps,
                           const Element* v,
                           Prefetch& prefetch,
                           const DecodePart& part,
                           int head,
                           int count) {
  constexpr int kMax = RowSteps<Heads>::kMax;
  constexpr int kSome = RowSteps<Heads>::kSome;
  int i = 0;
  for (int n = 0; n < steps.most; ++n, i += kMax * lanes()) {
    add_columns<Heads, kMax>(t, v, prefetch, part, head, i, count);
  }
  for (int n = 0; n < steps.some; ++n, i += kSome * lanes()) {
    add_columns<Heads, kSome>(t, v, prefetch, part, head, i, count);
  }
  for (int n = 0; n < steps.single; ++n, i += lanes()) {
    add_columns<Heads, 1>(t, v, prefetch, part, head, i, count);
  }
}

}  // namespace decoding

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
