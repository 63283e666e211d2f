#include "oa/attention/kernel/decode.h"

#include "oa/attention/kernel/fused_rows.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

#ifndef OA_ATTENTION_KERNEL_DECODE  // once, not once per target
#define OA_ATTENTION_KERNEL_DECODE
namespace oa::attention {

// Weights of `top` are 1: sums and outputs are relative to it.
struct DecodePart {
  float* top;    // one a head
  float* sum;    // one a head
  float* o;      // heads x padded width
  float* p;      // heads x kChunk
  float* spare;  // kKeysTogether rows of the cache
};

namespace {

constexpr int kKeysTogether = 4;
constexpr int kChunk = 64;  // keys whose weights are computed together

// Rows of `stride` elements; Element is float or the bits of a half.
template <class Element>
struct Cache {
  const Element* k;
  const Element* v;
  std::ptrdiff_t k_stride;
  std::ptrdiff_t v_stride;
};

struct DecodeShape {
  int heads;
  int groups;
  int width;
  int padded;

  [[nodiscard]] int in_group() const { return heads / groups; }
};

}  // namespace
}  // namespace oa::attention
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/attention/kernel/decode.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/cache_rows-inl.h"
#include "oa/attention/kernel/exponent-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using cache::Floats;
using cache::lanes;
using cache::load;
using cache::load_some;
using cache::Vector;

constexpr int kKeys = kKeysTogether;

// Columns i .. of Heads queries times kKeys keys.
template <int Heads, class Element>
HWY_INLINE void score_columns(const float* q,
                              std::ptrdiff_t q_stride,
                              const Element* k,
                              std::ptrdiff_t stride,
                              int some,
                              Vector (&sum)[Heads][kKeys]) {
  Vector key[kKeys];
  OA_UNROLL for (int j = 0; j < kKeys; ++j) {
    key[j] = load_some(k + j * stride, some);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    const auto left = hn::Load(Floats(), q + h * q_stride);
    OA_UNROLL for (int j = 0; j < kKeys; ++j) {
      sum[h][j] = hn::MulAdd(left, key[j], sum[h][j]);
    }
  }
}

// p[h][j] = q[h] k[j] for Heads heads of a group and kKeys keys.
template <int Heads, class Element>
void score_keys(const DecodeShape& t,
                const float* q,
                const Element* k,
                std::ptrdiff_t stride,
                float* p) {
  Vector sum[Heads][kKeys];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int j = 0; j < kKeys; ++j) {
      sum[h][j] = hn::Zero(Floats());
    }
  }
  int i = 0;
  for (; i + lanes() <= t.width; i += lanes()) {
    score_columns<Heads>(q + i, t.padded, k + i, stride, lanes(), sum);
  }
  if (i < t.width) {
    score_columns<Heads>(q + i, t.padded, k + i, stride, t.width - i, sum);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    cache::store_sums(sum[h], p + h * kChunk);
  }
}

// o[h] += p[h][j] v[j] for Heads heads of a group and kKeys keys.
template <int Heads, class Element>
void add_values(const DecodeShape& t,
                const float* p,
                const Element* v,
                std::ptrdiff_t stride,
                float* o) {
  const Floats d;
  Vector weight[Heads][kKeys];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int j = 0; j < kKeys; ++j) {
      weight[h][j] = hn::Set(d, p[h * kChunk + j]);
    }
  }
  for (int i = 0; i < t.width; i += lanes()) {
    Vector value[kKeys];
    if (i + lanes() <= t.width) {
      OA_UNROLL for (int j = 0; j < kKeys; ++j) {
        value[j] = load(v + i + j * stride);
      }
    } else {
      OA_UNROLL for (int j = 0; j < kKeys; ++j) {
        value[j] = load_some(v + i + j * stride, t.width - i);
      }
    }
    OA_UNROLL for (int h = 0; h < Heads; ++h) {
      float* to = o + h * t.padded + i;
      auto sum = hn::Load(d, to);
      OA_UNROLL for (int j = 0; j < kKeys; ++j) {
        sum = hn::MulAdd(weight[h][j], value[j], sum);
      }
      hn::Store(sum, d, to);
    }
  }
}

// Calls use(head, group) with as many heads of a group at a time as there are kernels
// for: 4, 2, 1.
template <class Use>
HWY_INLINE void for_heads(const DecodeShape& t, Use use) {
  for (int g = 0; g < t.groups; ++g) {
    int head = g * t.in_group();
    const int end = head + t.in_group();
    for (; head + 4 <= end; head += 4) {
      use(std::integral_constant<int, 4>(), head, g);
    }
    for (; head + 2 <= end; head += 2) {
      use(std::integral_constant<int, 2>(), head, g);
    }
    for (; head < end; ++head) {
      use(std::integral_constant<int, 1>(), head, g);
    }
  }
}

// Turns logits (in base 2) of one head into weights; those behind `count` become 0.
void weigh_chunk(const DecodeShape& t, const DecodePart& part, int head, int count) {
  const Floats d;
  float* p = part.p + head * kChunk;
  std::fill(p + count, p + kChunk, -std::numeric_limits<float>::infinity());
  auto top = hn::Load(d, p);
  for (int j = lanes(); j < kChunk; j += lanes()) {
    top = hn::Max(top, hn::Load(d, p + j));
  }
  const float highest = hn::GetLane(hn::MaxOfLanes(d, top));
  if (highest > part.top[head]) {
    // The first time, from -infinity, the sums are 0 and stay so.
    const auto factor = hn::Set(d, std::exp2(part.top[head] - highest));
    part.sum[head] *= hn::GetLane(factor);
    float* o = part.o + head * t.padded;
    for (int i = 0; i < t.padded; i += lanes()) {
      hn::Store(hn::Mul(factor, hn::Load(d, o + i)), d, o + i);
    }
    part.top[head] = highest;
  }
  auto sum = hn::Zero(d);
  for (int j = 0; j < kChunk; j += lanes()) {
    const auto e = exp2_below_128(
        Floats(), hn::Sub(hn::Load(d, p + j), hn::Set(d, part.top[head])));
    sum = hn::Add(sum, e);
    hn::Store(e, d, p + j);
  }
  part.sum[head] += hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Element>
struct KeyRows {
  const Element* data;
  std::ptrdiff_t stride;
};

// kKeys rows from row `first` on.  Where the cache has fewer, they are copied behind
// each other, and the rest of the copy is zeros.
template <class Element>
HWY_INLINE KeyRows<Element> rows_at(const Element* data,
                                    std::ptrdiff_t stride,
                                    int first,
                                    int end,
                                    std::ptrdiff_t size,
                                    Element* spare) {
  if (first + kKeys <= end) {
    return {data + first * stride, stride};
  }
  for (int j = 0; j < end - first; ++j) {
    std::copy_n(data + (first + j) * stride, size, spare + j * size);
  }
  std::fill(spare + (end - first) * size, spare + kKeys * size, Element{0});
  return {spare, size};
}

// Rows first .. end-1 of the cache.
template <class Element>
void run_part(const DecodeShape& t,
              const float* q,
              const Cache<Element>& cache,
              int first,
              int end,
              const DecodePart& part) {
  const std::ptrdiff_t size = std::ptrdiff_t{t.groups} * t.width;
  // Memory answers after some 100 ns, in which it delivers a few kilobytes.
  constexpr std::ptrdiff_t kBytesAhead = 8192;
  const auto ahead = static_cast<int>(std::clamp<std::ptrdiff_t>(
      kBytesAhead / static_cast<std::ptrdiff_t>(size * sizeof(Element)),
      kKeys,
      kChunk));
  auto* spare = reinterpret_cast<Element*>(part.spare);
  const auto fetch = [&](const Element* data, std::ptrdiff_t stride, int row) {
    for (int r = row + ahead; r < std::min(row + ahead + kKeys, end); ++r) {
      cache::prefetch_row(data + r * stride, size);
    }
  };
  std::fill_n(part.top, t.heads, -std::numeric_limits<float>::infinity());
  std::fill_n(part.sum, t.heads, 0.0F);
  std::fill_n(part.o, t.heads * t.padded, 0.0F);
  for (int begin = first; begin < end; begin += kChunk) {
    const int count = std::min(kChunk, end - begin);
    for (int j = 0; j < count; j += kKeys) {
      fetch(cache.k, cache.k_stride, begin + j);
      const auto k = rows_at(cache.k, cache.k_stride, begin + j, end, size, spare);
      for_heads(t, [&](auto heads, int head, int group) {
        score_keys<heads.value>(t,
                                q + head * t.padded,
                                k.data + group * t.width,
                                k.stride,
                                part.p + head * kChunk + j);
      });
    }
    for (int h = 0; h < t.heads; ++h) {
      weigh_chunk(t, part, h, count);
    }
    for (int j = 0; j < count; j += kKeys) {
      fetch(cache.v, cache.v_stride, begin + j);
      const auto v = rows_at(cache.v, cache.v_stride, begin + j, end, size, spare);
      for_heads(t, [&](auto heads, int head, int group) {
        add_values<heads.value>(t,
                                part.p + head * kChunk + j,
                                v.data + group * t.width,
                                v.stride,
                                part.o + head * t.padded);
      });
    }
  }
}

void run_part_float(const DecodeShape& t,
                    const float* q,
                    const Cache<float>& cache,
                    int first,
                    int end,
                    const DecodePart& part) {
  run_part(t, q, cache, first, end, part);
}

void run_part_half(const DecodeShape& t,
                   const float* q,
                   const Cache<std::uint16_t>& cache,
                   int first,
                   int end,
                   const DecodePart& part) {
  run_part(t, q, cache, first, end, part);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(run_part_float);
HWY_EXPORT(run_part_half);

void run_part(const DecodeShape& t,
              const float* q,
              const Cache<float>& cache,
              Run rows,
              const DecodePart& part) {
  HWY_DYNAMIC_DISPATCH(run_part_float)(t, q, cache, rows.begin, rows.end, part);
}
void run_part(const DecodeShape& t,
              const float* q,
              const Cache<std::uint16_t>& cache,
              Run rows,
              const DecodePart& part) {
  HWY_DYNAMIC_DISPATCH(run_part_half)(t, q, cache, rows.begin, rows.end, part);
}

// o = sum over parts of their outputs, each relative to its own top.
void merge(const DecodeShape& t,
           std::span<const DecodePart> parts,
           int head,
           std::span<float> o) {
  float top = -std::numeric_limits<float>::infinity();
  for (const DecodePart& part : parts) {
    // A part whose top is no number makes the head no number, by its sum.
    top = std::max(top, part.top[head]);
  }
  float sum = 0.0F;
  std::ranges::fill(o, 0.0F);
  for (const DecodePart& part : parts) {
    const float factor = part.top[head] == top ? 1.0F : std::exp2(part.top[head] - top);
    sum += factor * part.sum[head];
    for (int i = 0; i < t.width; ++i) {
      o[static_cast<std::size_t>(i)] += factor * part.o[head * t.padded + i];
    }
  }
  for (float& x : o) {
    x = sum == 0.0F ? 0.0F : x / sum;
  }
}

template <class Element>
void decode_rows(const DecodeQuery& query,
                 const Cache<Element>& cache,
                 int rows,
                 std::span<float> o,
                 int threads,
                 const DecodeScratch& scratch) {
  const int width = query.width();
  const DecodeShape t{query.heads, query.groups, width, num::padded(width)};
  assert(query.heads % query.groups == 0 && o.size() == query.q.size());
  const auto factor = static_cast<float>(static_cast<double>(query.scale) * kLog2E);
  for (int h = 0; h < t.heads; ++h) {
    for (int i = 0; i < width; ++i) {
      scratch.q()[h * t.padded + i] =
          factor * query.q[static_cast<std::size_t>(h * width + i)];
    }
  }
  constexpr int kLeast = 1024;  // rows that are worth a part
  const int count = std::clamp(rows / kLeast, 1, DecodeScratch::kParts);
  const auto begin = [&](std::int64_t part) {
    const auto chunk = static_cast<int>(part * panels_of(rows, kChunk) / count);
    return std::min(chunk * kChunk, rows);
  };
  const std::span<DecodePart> parts =
      scratch.parts().first(static_cast<std::size_t>(count));
  parallel_for(count, threads, [&](std::int64_t part, int /*worker*/) {
    run_part(t,
             scratch.q(),
             cache,
             {begin(part), begin(part + 1)},
             parts[static_cast<std::size_t>(part)]);
  });
  for (int h = 0; h < t.heads; ++h) {
    merge(t,
          parts,
          h,
          o.subspan(static_cast<std::size_t>(h * width),
                    static_cast<std::size_t>(width)));
  }
}

}  // namespace

DecodeScratch::DecodeScratch(int heads, int groups, int width, Arena& arena) {
  const std::ptrdiff_t padded = num::padded(width);
  q_ = piece<float>(arena, heads * padded);
  auto* parts = piece<DecodePart>(arena, kParts);
  for (int i = 0; i < kParts; ++i) {
    DecodePart part{};
    part.top = piece<float>(arena, heads);
    part.sum = piece<float>(arena, heads);
    part.o = piece<float>(arena, heads * padded);
    part.p = piece<float>(arena, std::ptrdiff_t{heads} * kChunk);
    part.spare = piece<float>(arena, std::ptrdiff_t{kKeysTogether} * groups * width);
    if (parts != nullptr) {
      new (parts + i) DecodePart(part);
    }
  }
  parts_ = {parts, kParts};
}

void decode(const DecodeQuery& query,
            num::ConstView k,
            num::ConstView v,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch) {
  assert(num::same_shape(k, v) && k.cols == query.groups * query.width());
  const Cache<float> cache{k.data, v.data, k.stride, v.stride};
  decode_rows(query, cache, k.rows, o, threads, scratch);
}

void decode(const DecodeQuery& query,
            HalfView k,
            HalfView v,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch) {
  assert(k.rows == v.rows && k.cols == v.cols &&
         k.cols == query.groups * query.width());
  const Cache<std::uint16_t> cache{k.data, v.data, k.stride, v.stride};
  decode_rows(query, cache, k.rows, o, threads, scratch);
}

}  // namespace oa::attention
#endif
