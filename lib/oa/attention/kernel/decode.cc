#include "oa/attention/kernel/decode.h"

#include "oa/attention/kernel/ahead.h"
#include "oa/attention/kernel/fused_rows.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>

#ifndef OA_ATTENTION_KERNEL_DECODE  // once, not once per target
#define OA_ATTENTION_KERNEL_DECODE
namespace oa::attention {

// Weights of `top` are 1: sums and outputs are relative to it.
struct DecodePart {
  float* top;  // one a head
  float* sum;  // kLanes a head
  float* o;    // heads x padded width
  float* p;    // heads x kPanel
};

namespace {

constexpr int kPanel = DecodeCache::kPanel;
constexpr int kLanes = num::kLane;

struct DecodeShape {
  int heads;
  int groups;
  int width;
  int padded;
  int panel;

  [[nodiscard]] int in_group() const { return heads / groups; }
};

// What one thread does: a part of the rows of a group, which begins with a panel.
struct DecodeJob {
  int group;
  Run rows;
  bool far;  // more than the second cache holds
  DecodePart part;
};

}  // namespace
}  // namespace oa::attention
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/attention/kernel/decode.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/exponent-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// These loops must be unrolled completely: an array of vectors that is indexed at run
// time lies in memory, not in registers.
#ifndef OA_UNROLL
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace decoding {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLanes>;
using Vector = hn::Vec<Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

// Sums in registers are kHeads x kVectors, or half the heads and twice the vectors.
// With 16 registers, heads that take turns read keys from end to end.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kHeads = 4;
constexpr int kVectors = 4;
constexpr int kScoreHeads = kHeads;
#else
constexpr int kHeads = 2;
constexpr int kVectors = 4;
constexpr int kScoreHeads = kHeads / 2;
#endif
constexpr int kScoreVectors = kHeads * kVectors / kScoreHeads;

// Vectors of a row of values that so many heads take at once.
constexpr int value_vectors(int heads) {
  return heads < kHeads ? 2 * kVectors : kVectors;
}

// Values are read in turns, too, where a row is wider than the sums or a group has more
// heads.  8 KiB of them come back to the first cache, and as much is fetched ahead.
constexpr int kNear = 8192;  // bytes

// How far above the reference, in powers of two, a logit may be before all that was
// summed up is made relative to it.
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

// x *= factor
HWY_INLINE void scale(float* x, int count, Vector factor) {
  for (int i = 0; i < count; i += lanes()) {
    hn::Store(hn::Mul(factor, hn::Load(Floats(), x + i)), Floats(), x + i);
  }
}

// Makes what is known of a head relative to the highest of some logits, which are those
// of the keys `first` and on of a panel.  From -infinity, the sums are 0 and stay so.
HWY_NOINLINE void raise(
    const DecodeShape& t, const DecodePart& part, int head, int first, Vector logits) {
  const float highest = hn::GetLane(hn::MaxOfLanes(Floats(), logits));
  const auto factor = hn::Set(Floats(), std::exp2(part.top[head] - highest));
  part.top[head] = highest;
  scale(part.sum + head * kLanes, lanes(), factor);
  scale(part.o + head * t.padded, t.padded, factor);
  scale(part.p + head * kPanel, first, factor);
}

// Turns logits (in base 2) of the keys `first` and on of a panel into weights; those
// behind `count` become 0.
template <int Vectors>
HWY_INLINE void weigh(const DecodeShape& t,
                      const DecodePart& part,
                      int head,
                      int first,
                      int count,
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
    hn::Store(e, d, part.p + head * kPanel + first + v * lanes());
  }
  hn::Store(sum, d, part.sum + head * kLanes);
}

// Weights of the keys `first` and on of a panel, for Heads heads of a group.  Not
// inlined: beside what the caller keeps in registers, not all sums would be.
template <int Heads, int Vectors, class Element>
HWY_NOINLINE void score(const DecodeShape& t,
                        const float* q,
                        const Element* k,
                        Ahead<Element> ahead,
                        const DecodePart& part,
                        int head,
                        int first,
                        int count) {
  const Floats d;
  q += head * t.padded;
  k += first;
  Vector sum[Heads][Vectors];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      sum[h][v] = hn::Zero(d);
    }
  }
  for (int i = 0; i < t.width; ++i, ++q, k += t.panel) {
    ahead.template pass<Vectors * kMaxLanes>(k);
    Vector key[Vectors];
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      key[v] = load(k + v * lanes());
    }
    OA_UNROLL for (int h = 0; h < Heads; ++h) {
      const auto left = hn::Set(d, q[h * t.padded]);
      OA_UNROLL for (int v = 0; v < Vectors; ++v) {
        sum[h][v] = hn::MulAdd(left, key[v], sum[h][v]);
      }
    }
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    weigh(t, part, head + h, first, count, sum[h]);
  }
}

// o[h] += p[h][j] v[j] in the columns i .. for Heads heads of a group and some rows of
// a panel.
template <int Heads, int Columns, class Element>
HWY_NOINLINE void add_columns(const DecodeShape& t,
                              const Element* v,
                              Ahead<Element> ahead,
                              const DecodePart& part,
                              int head,
                              int i,
                              Run rows) {
  const Floats d;
  float* o = part.o + head * t.padded + i;
  const float* p = part.p + head * kPanel + rows.begin;
  v += rows.begin * t.width + i;
  Vector sum[Heads][Columns];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      sum[h][c] = hn::Load(d, o + h * t.padded + c * lanes());
    }
  }
  for (int j = rows.begin; j < rows.end; ++j, ++p, v += t.width) {
    ahead.template pass<Columns * kMaxLanes>(v);
    Vector value[Columns];
    OA_UNROLL for (int c = 0; c < Columns; ++c) {
      value[c] = load(v + c * lanes());
    }
    OA_UNROLL for (int h = 0; h < Heads; ++h) {
      const auto weight = hn::Set(d, p[h * kPanel]);
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

// The last columns read what lies behind a row; what comes of that is not used.
template <int Heads, class Element>
HWY_INLINE void add_values(const DecodeShape& t,
                           const Element* v,
                           Ahead<Element> ahead,
                           const DecodePart& part,
                           int head,
                           Run rows) {
  constexpr int kMost = value_vectors(Heads);
  int i = 0;
  for (; i + kMost * lanes() <= t.width; i += kMost * lanes()) {
    add_columns<Heads, kMost>(t, v, ahead, part, head, i, rows);
  }
  for (; i + kVectors * lanes() <= t.width; i += kVectors * lanes()) {
    add_columns<Heads, kVectors>(t, v, ahead, part, head, i, rows);
  }
  for (; i < t.width; i += lanes()) {
    add_columns<Heads, 1>(t, v, ahead, part, head, i, rows);
  }
}

// Turns of for_heads.
template <int Most>
HWY_INLINE int turns_of(const DecodeShape& t) {
  const int rest = t.in_group() % Most;
  return t.in_group() / Most + rest / 2 + rest % 2;
}

// Calls use(number of heads, head, turn) for the heads of a group, in turns of as many
// as there are kernels for: Most, 2, 1.
template <int Most, class Use>
HWY_INLINE void for_heads(const DecodeShape& t, int group, Use use) {
  int turn = 0;
  int head = group * t.in_group();
  const int end = head + t.in_group();
  for (; head + Most <= end; head += Most) {
    use(std::integral_constant<int, Most>(), head, turn++);
  }
  if constexpr (Most > 2) {
    for (; head + 2 <= end; head += 2) {
      use(std::integral_constant<int, 2>(), head, turn++);
    }
  }
  if constexpr (Most > 1) {
    for (; head < end; ++head) {
      use(std::integral_constant<int, 1>(), head, turn++);
    }
  }
}

// `panel` is the memory of the group.
template <class Element>
HWY_INLINE void run_group(const DecodeShape& t,
                          const float* q,
                          const Element* panel,
                          const DecodeJob& job) {
  const DecodePart& part = job.part;
  const Run rows = job.rows;
  const int head = job.group * t.in_group();
  std::fill_n(part.top + head, t.in_group(), -std::numeric_limits<float>::infinity());
  std::fill_n(part.sum + head * kLanes, t.in_group() * kLanes, 0.0F);
  std::fill_n(part.o + head * t.padded, t.in_group() * t.padded, 0.0F);

  // Where heads take turns at the keys of a panel, all of them fetch what a panel of
  // keys is away, else the first turn would fetch what is needed, and the others
  // nothing.
  const int key_turns = turns_of<kScoreHeads>(t);
  const int value_turns = turns_of<kHeads>(t);
  const int distance =
      key_turns == 1 ? kNear / static_cast<int>(sizeof(Element)) : t.panel * t.width;
  const bool once =
      value_turns == 1 && t.width <= value_vectors(t.in_group()) * lanes();
  const int stretch = once ? kPanel : std::clamp(distance / t.width, 8, kPanel);
  const auto ahead = [&](int turn, int turns) {
    return Ahead<Element>{job.far ? distance : 0, turn, turns};
  };

  panel += std::ptrdiff_t{rows.begin} * 2 * t.width;
  for (int begin = rows.begin; begin < rows.end; begin += kPanel) {
    const int count = std::min(kPanel, rows.end - begin);
    for_heads<kScoreHeads>(t, job.group, [&](auto heads, int h, int turn) {
      const auto next = ahead(turn, key_turns);
      if (t.panel == kPanel) {
        for (int j = 0; j < kPanel; j += kScoreVectors * lanes()) {
          score<heads.value, kScoreVectors>(t, q, panel, next, part, h, j, count);
        }
      } else {
        for (int j = 0; j < t.panel; j += lanes()) {
          score<heads.value, 1>(t, q, panel, next, part, h, j, count);
        }
      }
    });
    const Element* values = panel + t.panel * t.width;
    for (int j = 0; j < count; j += stretch) {
      const Run some{j, std::min(j + stretch, count)};
      for_heads<kHeads>(t, job.group, [&](auto heads, int h, int turn) {
        add_values<heads.value>(t, values, ahead(turn, value_turns), part, h, some);
      });
    }
    panel = values + kPanel * t.width;
  }
}

}  // namespace decoding

void decode_floats(const DecodeShape& t,
                   const float* q,
                   const float* panel,
                   const DecodeJob& job) {
  decoding::run_group(t, q, panel, job);
}

void decode_halves(const DecodeShape& t,
                   const float* q,
                   const std::uint16_t* panel,
                   const DecodeJob& job) {
  decoding::run_group(t, q, panel, job);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(decode_floats);
HWY_EXPORT(decode_halves);

void run_group(const DecodeShape& t,
               const float* q,
               const float* panel,
               const DecodeJob& job) {
  HWY_DYNAMIC_DISPATCH(decode_floats)(t, q, panel, job);
}
void run_group(const DecodeShape& t,
               const float* q,
               const std::uint16_t* panel,
               const DecodeJob& job) {
  HWY_DYNAMIC_DISPATCH(decode_halves)(t, q, panel, job);
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
    const float* sums = part.sum + head * kLanes;
    sum += factor * std::accumulate(sums, sums + kLanes, 0.0F);
    for (int i = 0; i < t.width; ++i) {
      o[static_cast<std::size_t>(i)] += factor * part.o[head * t.padded + i];
    }
  }
  for (float& x : o) {
    x = sum == 0.0F ? 0.0F : x / sum;
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
    part.sum = piece<float>(arena, std::ptrdiff_t{heads} * kLanes);
    part.o = piece<float>(arena, heads * padded);
    part.p = piece<float>(arena, std::ptrdiff_t{heads} * kPanel);
    if (parts != nullptr) {
      new (parts + i) DecodePart(part);
    }
  }
  parts_ = {parts, kParts};
}

void decode(const DecodeQuery& query,
            const DecodeCache& cache,
            int rows,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch) {
  const int width = query.width();
  const DecodeShape t{
      query.heads, query.groups, width, num::padded(width), cache.panel()};
  assert(query.heads % query.groups == 0 && o.size() == query.q.size());
  assert(cache.groups() == t.groups && cache.width() == width && rows <= cache.rows());
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
    const auto panel = static_cast<int>(part * panels_of(rows, kPanel) / count);
    return std::min(panel * kPanel, rows);
  };
  const std::span<DecodePart> parts =
      scratch.parts().first(static_cast<std::size_t>(count));
  // More than the second cache holds; there, asking costs more than it brings.
  const auto far = [&](std::size_t element) {
    constexpr std::size_t kCache = std::size_t{2} << 20;
    return 2 * element * static_cast<std::size_t>(rows) *
               static_cast<std::size_t>(width) * static_cast<std::size_t>(t.groups) >
           kCache;
  };
  const auto job = [&](std::int64_t i, int /*worker*/) {
    const auto group = static_cast<int>(i / count);
    const std::int64_t part = i % count;
    std::visit(
        [&](const auto* all) {
          run_group(t,
                    scratch.q(),
                    cache.of_group(all, group),
                    {group,
                     {begin(part), begin(part + 1)},
                     far(sizeof(*all)),
                     parts[static_cast<std::size_t>(part)]});
        },
        cache.memory());
  };
  parallel_for(std::int64_t{t.groups} * count, count == 1 ? 1 : threads, job);
  for (int h = 0; h < t.heads; ++h) {
    merge(t,
          parts,
          h,
          o.subspan(static_cast<std::size_t>(h * width),
                    static_cast<std::size_t>(width)));
  }
}

}  // namespace oa::attention
#endif
