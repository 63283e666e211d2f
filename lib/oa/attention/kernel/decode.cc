#include "oa/attention/kernel/decode.h"

#include "oa/attention/kernel/heads.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/exponent-inl.h"

#include <hwy/highway.h>

#ifndef OA_ATTENTION_KERNEL_DECODE  // once, not once per target
#define OA_ATTENTION_KERNEL_DECODE
namespace oa::attention {
namespace {

/// The work of one thread: rows of a group's cache, which start with a panel.
struct DecodeJob {
  int begin;
  int end;
  int panel;  ///< rows of a panel
  int width;
  int head;     ///< the first of the group
  int heads;    ///< of the group
  int scratch;  ///< the row of this head in the scratch memory of the part
};

/// to (heads x columns) += factors (heads x depth) * rows (depth x columns)
template <class Element>
struct PanelProduct {
  num::ConstView factors;
  const Element* rows;
  std::ptrdiff_t stride;
  int depth;
  int columns;
  num::View to;
};

}  // namespace
}  // namespace oa::attention
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Unrolls loops completely: arrays of vectors with run-time indices would be in memory
// instead of registers.
#ifndef OA_UNROLL
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace decoding {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, num::kLane>;
using Vector = hn::Vec<Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

// Vectors of sums that fit into registers beside the operands.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kSums = 16;
#else
constexpr int kSums = 8;
#endif
// The most heads at a time: all of them use what is loaded into a register.
constexpr int kHeads = kSums / 2;

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

// Few sums wait for each other: they are split into `Split` sums over every Split-th
// row.  Not inlined: with the caller's registers, the sums would not fit.
template <int Heads, int Vectors, class Element>
HWY_NOINLINE void add_columns(const PanelProduct<Element>& t, int head, int column) {
  constexpr int kSplit = std::max(1, 4 / (Heads * Vectors));
  const Floats d;
  Vector sum[kSplit][Heads][Vectors];
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      sum[0][h][v] = hn::Load(d, t.to.row(head + h) + column + v * lanes());
      OA_UNROLL for (int s = 1; s < kSplit; ++s) {
        sum[s][h][v] = hn::Zero(d);
      }
    }
  }
  const float* factors = t.factors.row(head);
  const Element* row = t.rows + column;
  const auto add_row = [&](Vector(&to)[Heads][Vectors]) HWY_ATTR {
    Vector all[Vectors];
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      all[v] = load(row + v * lanes());
    }
    OA_UNROLL for (int h = 0; h < Heads; ++h) {
      const auto factor = hn::Set(d, factors[h * t.factors.stride]);
      OA_UNROLL for (int v = 0; v < Vectors; ++v) {
        to[h][v] = hn::MulAdd(factor, all[v], to[h][v]);
      }
    }
    ++factors;
    row += t.stride;
  };
  int i = 0;
  for (; i + kSplit <= t.depth; i += kSplit) {
    OA_UNROLL for (int s = 0; s < kSplit; ++s) {
      add_row(sum[s]);
    }
  }
  for (; i < t.depth; ++i) {
    add_row(sum[0]);
  }
  OA_UNROLL for (int h = 0; h < Heads; ++h) {
    OA_UNROLL for (int v = 0; v < Vectors; ++v) {
      OA_UNROLL for (int s = 1; s < kSplit; ++s) {
        sum[0][h][v] = hn::Add(sum[0][h][v], sum[s][h][v]);
      }
      hn::Store(sum[0][h][v], d, t.to.row(head + h) + column + v * lanes());
    }
  }
}

// The product for all heads from `head`, Heads or fewer at a time.  The last columns
// may be beyond the product's; nothing uses their sums.
template <int Heads, class Element>
HWY_INLINE void add_product(const PanelProduct<Element>& t, int head) {
  constexpr int kVectors = std::min(kSums / Heads, 4);
  for (; head + Heads <= t.to.rows; head += Heads) {
    int c = 0;
    for (; c + kVectors * lanes() <= t.columns; c += kVectors * lanes()) {
      add_columns<Heads, kVectors>(t, head, c);
    }
    for (; c < t.columns; c += lanes()) {
      add_columns<Heads, 1>(t, head, c);
    }
  }
  if constexpr (Heads > 1) {
    add_product<Heads / 2>(t, head);
  }
}

// x *= factor
HWY_INLINE void scale(float* x, int count, float factor) {
  const Floats d;
  for (int i = 0; i < count; i += lanes()) {
    hn::Store(hn::Mul(hn::Set(d, factor), hn::Load(d, x + i)), d, x + i);
  }
}

// Replaces the first `count` logits (in base 2) of a panel by weights relative to the
// highest logit so far, and adds them to the sums; further weights are 0.
HWY_INLINE void weigh(const DecodeScratch& scratch, int row, int count) {
  const Floats d;
  float* p = scratch.p.row(row);
  float* sum = scratch.sum.row(row);
  float& top = scratch.top[at(row)];
  std::fill(p + count, p + scratch.p.cols, -std::numeric_limits<float>::infinity());
  auto highest = hn::Load(d, p);
  for (int i = lanes(); i < count; i += lanes()) {
    highest = hn::Max(highest, hn::Load(d, p + i));
  }
  if (!hn::AllTrue(d, hn::Le(highest, hn::Set(d, top)))) {
    const float before = std::exchange(top, hn::GetLane(hn::MaxOfLanes(d, highest)));
    const float factor = std::exp2(before - top);
    scale(sum, num::kLane, factor);
    scale(scratch.o.row(row), scratch.o.stride, factor);
  }
  auto total = hn::Load(d, sum);
  for (int i = 0; i < count; i += lanes()) {
    const auto e = exp2_below_128(d, hn::Sub(hn::Load(d, p + i), hn::Set(d, top)));
    total = hn::Add(total, e);
    hn::Store(e, d, p + i);
  }
  hn::Store(total, d, sum);
}

// `panel`: memory of the group, from the first row of the job.
template <class Element>
HWY_INLINE void run(const DecodeScratch& scratch,
                    const Element* panel,
                    const DecodeJob& job) {
  const num::View q = row_block(scratch.q, job.head, job.heads);
  const num::View p = row_block(scratch.p, job.scratch, job.heads);
  const num::View o = row_block(scratch.o, job.scratch, job.heads);
  for (int begin = job.begin; begin < job.end; begin += job.panel) {
    const int count = std::min(job.panel, job.end - begin);
    const Element* values = panel + std::ptrdiff_t{job.panel} * job.width;
    std::fill_n(p.data, std::ptrdiff_t{p.rows} * p.stride, 0.0F);
    add_product<kHeads>(PanelProduct<Element>{q, panel, job.panel, job.width, count, p},
                        0);
    for (int h = 0; h < job.heads; ++h) {
      weigh(scratch, job.scratch + h, count);
    }
    add_product<kHeads>(
        PanelProduct<Element>{p, values, job.width, count, job.width, o}, 0);
    panel = values + std::ptrdiff_t{job.panel} * job.width;
  }
}

}  // namespace decoding

void decode_floats(const DecodeScratch& scratch,
                   const float* panel,
                   const DecodeJob& job) {
  decoding::run(scratch, panel, job);
}

void decode_halves(const DecodeScratch& scratch,
                   const std::uint16_t* panel,
                   const DecodeJob& job) {
  decoding::run(scratch, panel, job);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(decode_floats);
HWY_EXPORT(decode_halves);

void run_job(const DecodeScratch& scratch, const float* panel, const DecodeJob& job) {
  HWY_DYNAMIC_DISPATCH(decode_floats)(scratch, panel, job);
}
void run_job(const DecodeScratch& scratch,
             const std::uint16_t* panel,
             const DecodeJob& job) {
  HWY_DYNAMIC_DISPATCH(decode_halves)(scratch, panel, job);
}

// Sets o to the sum of the parts' outputs for a head, each relative to the part's top.
void merge(const DecodeScratch& scratch, int parts, int head, std::span<float> o) {
  const int heads = scratch.q.rows;
  float top = -std::numeric_limits<float>::infinity();
  for (int part = 0; part < parts; ++part) {
    top = std::max(top, scratch.top[at(part * heads + head)]);
  }
  std::array<float, DecodeScratch::kParts> share{};
  float sum = 0.0F;
  for (int part = 0; part < parts; ++part) {
    const int row = part * heads + head;
    const float highest = scratch.top[at(row)];
    share[at(part)] = highest == top ? 1.0F : std::exp2(highest - top);
    for (int i = 0; i < num::kLane; ++i) {
      sum += share[at(part)] * scratch.sum(row, i);
    }
  }
  const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
  std::ranges::fill(o, 0.0F);
  for (int part = 0; part < parts; ++part) {
    const float* from = scratch.o.row(part * heads + head);
    for (float& x : o) {
      x += inverse * share[at(part)] * *from++;
    }
  }
}

}  // namespace

DecodeScratch::DecodeScratch(int heads, int width, Arena& arena)
    : q(num::zeros(heads, width, arena)),
      p(num::zeros(kParts * heads, DecodeCache::kPanel, arena)),
      o(num::zeros(kParts * heads, width, arena)),
      sum(num::zeros(kParts * heads, num::kLane, arena)),
      top(num::zeros(kParts * heads, arena)) {}

void decode(const DecodeQuery& query,
            const DecodeCache& cache,
            int rows,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch) {
  const int width = query.width();
  const int in_group = query.heads / query.groups;
  assert(query.heads % query.groups == 0 && o.size() == query.q.size());
  assert(cache.groups() == query.groups && cache.width() == width);
  assert(rows <= cache.rows());
  const auto factor =
      static_cast<float>(static_cast<double>(query.scale) * std::numbers::log2e);
  for (int h = 0; h < query.heads; ++h) {
    for (int i = 0; i < width; ++i) {
      scratch.q(h, i) = factor * query.q[at(h * width + i)];
    }
  }
  constexpr int kMin = 1024;  // rows of a part
  const int parts = std::clamp(rows / kMin, 1, DecodeScratch::kParts);
  const int panels = (rows + cache.panel() - 1) / cache.panel();
  const auto begin = [&](std::int64_t part) {
    const auto panel = static_cast<int>(part * panels / parts);
    return std::min(panel * cache.panel(), rows);
  };
  num::fill(scratch.o.top(parts * query.heads), 0.0F);
  num::fill(scratch.sum.top(parts * query.heads), 0.0F);
  std::ranges::fill(scratch.top, -std::numeric_limits<float>::infinity());
  const auto job = [&](std::int64_t i, int /*worker*/) {
    const auto group = static_cast<int>(i / parts);
    const auto part = static_cast<int>(i % parts);
    std::visit(
        [&](const auto* all) {
          run_job(scratch,
                  cache.of_group(all, group) + std::ptrdiff_t{begin(part)} * 2 * width,
                  {.begin = begin(part),
                   .end = begin(part + 1),
                   .panel = cache.panel(),
                   .width = width,
                   .head = group * in_group,
                   .heads = in_group,
                   .scratch = part * query.heads + group * in_group});
        },
        cache.memory());
  };
  parallel_stretches(std::int64_t{query.groups} * parts, parts == 1 ? 1 : threads, job);
  for (int h = 0; h < query.heads; ++h) {
    merge(scratch, parts, h, o.subspan(at(h * width), at(width)));
  }
}

}  // namespace oa::attention
#endif
