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
  float* top;  // one a head
  float* sum;  // one a head
  float* o;    // heads x padded width
  float* p;    // heads x kChunk
};

namespace {

constexpr int kChunk = 64;  // keys whose weights are computed together

// Rows of `stride` elements; Element is float or the bits of a half.
template <class Element>
struct Cache {
  const Element* k;
  const Element* v;
  std::ptrdiff_t k_stride;
  std::ptrdiff_t v_stride;
  bool far;  ///< more than the second cache of a processor holds
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

constexpr int kBlock = 16;  // rows that are read group by group
constexpr int kKeys = 4;    // whose scores are summed up together
#if HWY_TARGET <= HWY_AVX3
constexpr int kColumns = 4;  // vectors of an output in registers
#else
constexpr int kColumns = 2;
#endif

// Brings rows into the second cache in the order in which they lie in memory, a few
// lines at a time.  What a processor foresees by itself are rows that are read from end
// to end, not pieces of many rows in turns.
template <class Element>
class Ahead {
 public:
  Ahead(const Element* data, std::ptrdiff_t stride, std::ptrdiff_t size, int row)
      : data_(data),
        stride_(stride),
        size_(size),
        row_(row) {}

  /// Rows before `end` may be fetched.
  void allow(int end) { end_ = end; }

  /// The next lines that hold `count` elements.
  HWY_INLINE void fetch(std::ptrdiff_t count) {
    constexpr std::ptrdiff_t kLine = 64 / sizeof(Element);
    for (; count > 0 && row_ < end_; count -= kLine) {
      __builtin_prefetch(data_ + row_ * stride_ + column_, 0, 2);
      column_ += kLine;
      if (column_ >= size_) {
        column_ = 0;
        ++row_;
      }
    }
  }

 private:
  const Element* data_;
  std::ptrdiff_t stride_;
  std::ptrdiff_t size_;
  std::ptrdiff_t column_ = 0;
  int row_;
  int end_ = 0;
};

// Columns i .. of Heads queries times Keys keys.
template <int Heads, int Keys, class Element>
HWY_INLINE void score_columns(const float* q,
                              std::ptrdiff_t q_stride,
                              const Element* k,
                              std::ptrdiff_t stride,
                              int some,
                              Vector (&sum)[Heads][Keys]) {
  Vector key[Keys];
  OA_UNROLL for (int j = 0; j < Keys; ++j) {
    key[j] = load_some(k + j * stride, some);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    const auto left = hn::Load(Floats(), q + h * q_stride);
    OA_UNROLL for (int j = 0; j < Keys; ++j) {
      sum[h][j] = hn::MulAdd(left, key[j], sum[h][j]);
    }
  }
}

// p[h][j] = q[h] k[j] for Heads heads of a group and Keys keys.
template <int Heads, int Keys, class Element>
HWY_INLINE void score_keys(const DecodeShape& t,
                           const float* q,
                           const Element* k,
                           std::ptrdiff_t stride,
                           float* p) {
  Vector sum[Heads][Keys];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int j = 0; j < Keys; ++j) {
      sum[h][j] = hn::Zero(Floats());
    }
  }
  int i = 0;
  for (; i + lanes() <= t.width; i += lanes()) {
    score_columns<Heads, Keys>(q + i, t.padded, k + i, stride, lanes(), sum);
  }
  if (i < t.width) {
    score_columns<Heads, Keys>(q + i, t.padded, k + i, stride, t.width - i, sum);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    if constexpr (Keys == kKeys) {
      cache::store_sums(sum[h], p + h * kChunk);
    } else {
      p[h * kChunk] = hn::GetLane(hn::SumOfLanes(Floats(), sum[h][0]));
    }
  }
}

// The same for `count` keys, while `fetched` elements for each are brought nearer.
template <int Heads, class Element>
void score_rows(const DecodeShape& t,
                const float* q,
                const Element* k,
                std::ptrdiff_t stride,
                int count,
                float* p,
                Ahead<Element>& ahead,
                int fetched) {
  int j = 0;
  for (; j + kKeys <= count; j += kKeys) {
    ahead.fetch(kKeys * fetched);
    score_keys<Heads, kKeys>(t, q, k + j * stride, stride, p + j);
  }
  for (; j < count; ++j) {
    score_keys<Heads, 1>(t, q, k + j * stride, stride, p + j);
  }
}

// o[h] += p[h][j] v[j] in Columns vectors, the last of `some` numbers, for Heads heads
// of a group and `count` keys, while `fetched` elements for each are brought nearer.
template <int Heads, int Columns, class Element>
HWY_INLINE void add_columns(const DecodeShape& t,
                            const float* p,
                            const Element* v,
                            std::ptrdiff_t stride,
                            int count,
                            int some,
                            float* o,
                            Ahead<Element>& ahead,
                            int fetched) {
  const Floats d;
  Vector sum[Heads][Columns];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      sum[h][c] = hn::Load(d, o + h * t.padded + c * lanes());
    }
  }
  for (int j = 0; j < count; ++j, v += stride) {
    ahead.fetch(fetched);
    Vector value[Columns];
    OA_UNROLL for (int c = 0; c + 1 < Columns; ++c) {
      value[c] = load(v + c * lanes());
    }
    value[Columns - 1] = load_some(v + (Columns - 1) * lanes(), some);
    OA_UNROLL for (int h = 0; h < Heads; ++h) {
      const auto weight = hn::Set(d, p[h * kChunk + j]);
      OA_UNROLL for (int c = 0; c < Columns; ++c) {
        sum[h][c] = hn::MulAdd(weight, value[c], sum[h][c]);
      }
    }
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      hn::Store(sum[h][c], d, o + h * t.padded + c * lanes());
    }
  }
}

template <int Heads, class Element>
void add_values(const DecodeShape& t,
                const float* p,
                const Element* v,
                std::ptrdiff_t stride,
                int count,
                float* o,
                Ahead<Element>& ahead,
                int fetched) {
  int i = 0;
  for (; i + kColumns * lanes() <= t.width; i += kColumns * lanes()) {
    const int some = std::min(fetched, kColumns * lanes());
    add_columns<Heads, kColumns>(
        t, p, v + i, stride, count, lanes(), o + i, ahead, some);
  }
  for (; i < t.width; i += lanes()) {
    const int some = std::min(fetched, lanes());
    add_columns<Heads, 1>(t, p, v + i, stride, count, t.width - i, o + i, ahead, some);
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

// Rows first .. end-1 of the cache.
template <class Element>
void run_part(const DecodeShape& t,
              const float* q,
              const Cache<Element>& cache,
              int first,
              int end,
              const DecodePart& part) {
  const std::ptrdiff_t size = std::ptrdiff_t{t.groups} * t.width;
  constexpr int kAhead = 2 * kBlock;
  // The first heads of a group fetch as much as they read.
  const auto fetched = [&](int head) {
    return cache.far && head % t.in_group() == 0 ? t.width : 0;
  };
  Ahead<Element> keys(cache.k, cache.k_stride, size, first + kAhead);
  Ahead<Element> values(cache.v, cache.v_stride, size, first + kAhead);
  std::fill_n(part.top, t.heads, -std::numeric_limits<float>::infinity());
  std::fill_n(part.sum, t.heads, 0.0F);
  std::fill_n(part.o, t.heads * t.padded, 0.0F);
  for (int begin = first; begin < end; begin += kChunk) {
    const int count = std::min(kChunk, end - begin);
    for (int j = 0; j < count; j += kBlock) {
      const Element* k = cache.k + (begin + j) * cache.k_stride;
      const int rows = std::min(kBlock, count - j);
      keys.allow(std::min(begin + j + kAhead + kBlock, end));
      for_heads(t, [&](auto heads, int head, int group) {
        score_rows<heads.value>(t,
                                q + head * t.padded,
                                k + group * t.width,
                                cache.k_stride,
                                rows,
                                part.p + head * kChunk + j,
                                keys,
                                fetched(head));
      });
    }
    for (int h = 0; h < t.heads; ++h) {
      weigh_chunk(t, part, h, count);
    }
    for (int j = 0; j < count; j += kBlock) {
      const Element* v = cache.v + (begin + j) * cache.v_stride;
      const int rows = std::min(kBlock, count - j);
      values.allow(std::min(begin + j + kAhead + kBlock, end));
      for_heads(t, [&](auto heads, int head, int group) {
        add_values<heads.value>(t,
                                part.p + head * kChunk + j,
                                v + group * t.width,
                                cache.v_stride,
                                rows,
                                part.o + head * t.padded,
                                values,
                                fetched(head));
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

bool is_far(int rows, int cols, std::size_t element) {
  constexpr std::size_t kSecondCache = std::size_t{1} << 20;
  return 2 * element * static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) >
         kSecondCache;
}

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

DecodeScratch::DecodeScratch(int heads, int width, Arena& arena) {
  const std::ptrdiff_t padded = num::padded(width);
  q_ = piece<float>(arena, heads * padded);
  auto* parts = piece<DecodePart>(arena, kParts);
  for (int i = 0; i < kParts; ++i) {
    DecodePart part{};
    part.top = piece<float>(arena, heads);
    part.sum = piece<float>(arena, heads);
    part.o = piece<float>(arena, heads * padded);
    part.p = piece<float>(arena, std::ptrdiff_t{heads} * kChunk);
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
  const Cache<float> cache{
      k.data, v.data, k.stride, v.stride, is_far(k.rows, k.cols, sizeof(float))};
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
  const Cache<std::uint16_t> cache{
      k.data, v.data, k.stride, v.stride, is_far(k.rows, k.cols, sizeof(*k.data))};
  decode_rows(query, cache, k.rows, o, threads, scratch);
}

}  // namespace oa::attention
#endif
