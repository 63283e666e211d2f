#include "survey/kernel/decode/decode.h"

#include "oa/base/parallel.h"
#include "survey/kernel/decode/job.h"
#include "survey/kernel/fused/packing.h"
#include "survey/kernel/fused/worker.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "survey/kernel/decode/panel-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace decoding {

// Calls use(count, first) for groups of heads head .. end-1: groups of Most heads
// first, then of Most / 2 and so on.  Kernels exist for these counts.
template <int Most, class Use>
HWY_INLINE void for_heads(int head, int end, Use use) {
  for (; head + Most <= end; head += Most) {
    use(std::integral_constant<int, Most>(), head);
  }
  if constexpr (Most > 1) {
    for_heads<Most / 2>(head, end, use);
  }
}

// Prefetches the next panel to the L2 cache while for_heads() reads the current one.
// Each pass prefetches a share of the panel in proportion to its heads.
class PrefetchPasses {
 public:
  PrefetchPasses(const void* panel, std::ptrdiff_t floats, int heads)
      : next_(static_cast<const float*>(panel) + floats),
        stream_(floats / 4),
        heads_(heads) {}
  // Returns what a pass over keys or values of `heads` heads prefetches.
  StreamPrefetch next(int heads, int fetches) {
    const std::ptrdiff_t part = stream_ / 2 * heads / heads_;
    const StreamPrefetch streams{next_,
                                 next_ + stream_,
                                 next_ + 2 * stream_,
                                 next_ + 3 * stream_,
                                 (4 * part + fetches - 1) / fetches};
    next_ += part;
    return streams;
  }

 private:
  const float* next_;
  std::ptrdiff_t stream_;  // floats of a panel in one stream
  int heads_;
};

// Prefetches nothing: keys and values fit into the L2 cache.
struct CachedPasses {
  CachedPasses(const void* /*panel*/, std::ptrdiff_t /*floats*/, int /*heads*/) {}
  NoPrefetch next(int /*heads*/, int /*fetches*/) { return {}; }
};

// Adds a job's rows to its results.  `panel` is the first panel of the group.
template <class Passes, class Element>
HWY_INLINE void run_group(const DecodeShape& t,
                          const float* q,
                          const Element* panel,
                          const DecodeJob& job) {
  const DecodePart& part = job.part;
  const Run rows = job.rows;
  const int head = job.group * t.in_group();
  const int end = head + t.in_group();
  std::fill_n(part.top + head, t.in_group(), -std::numeric_limits<float>::infinity());
  std::fill_n(part.sum + head * kLanes, t.in_group() * kLanes, 0.0F);
  std::fill_n(part.o + head * t.padded, t.in_group() * t.padded, 0.0F);

  const std::ptrdiff_t numbers = std::ptrdiff_t{t.panel} * t.width;
  const auto floats = numbers * static_cast<int>(sizeof(Element)) / 4;
  panel += std::ptrdiff_t{rows.begin} * 2 * t.width;
  for (int begin = rows.begin; begin < rows.end; begin += kPanel) {
    const int count = std::min(kPanel, rows.end - begin);
    Passes passes(panel, 2 * floats, t.in_group());
    for_heads<kHeads>(head, end, [&](auto heads, int h) {
      constexpr int kMax = std::min(vectors_of(heads.value), kPanel / kMaxLanes);
      const int vectors = t.panel == kPanel ? kMax : 1;
      const int step = vectors * lanes();
      const int fetches = t.width * lines_for<Element>(vectors) + heads.value * vectors;
      auto lines = passes.next(heads.value, t.panel / step * fetches);
      for (int j = 0; j < t.panel; j += step) {
        if (vectors == kMax) {
          score<heads.value, kMax>(t, q, panel, lines, part, h, j, count);
        } else {
          score<heads.value, 1>(t, q, panel, lines, part, h, j, count);
        }
      }
    });
    const Element* values = panel + numbers;
    for_heads<kHeads>(head, end, [&](auto heads, int h) {
      const RowSteps<heads.value> steps(t.width);
      const int fetches = count * steps.template lines<Element>();
      auto lines = passes.next(heads.value, fetches);
      add_values(t, steps, values, lines, part, h, count);
    });
    panel = values + kPanel * t.width;
  }
  for (int h = head; h < head + t.in_group(); ++h) {
    float* sum = part.sum + h * kLanes;
    *sum = hn::GetLane(hn::SumOfLanes(Floats(), hn::Load(Floats(), sum)));
  }
}

template <class Element>
HWY_INLINE void run(const DecodeShape& t,
                    const float* q,
                    const Element* panel,
                    const DecodeJob& job) {
  if (job.beyond_cache) {
    run_group<PrefetchPasses>(t, q, panel, job);
  } else {
    run_group<CachedPasses>(t, q, panel, job);
  }
}

}  // namespace decoding

void decode_floats(const DecodeShape& t,
                   const float* q,
                   const float* panel,
                   const DecodeJob& job) {
  decoding::run(t, q, panel, job);
}

void decode_halves(const DecodeShape& t,
                   const float* q,
                   const std::uint16_t* panel,
                   const DecodeJob& job) {
  decoding::run(t, q, panel, job);
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

// Sets o to the sum of the outputs of all parts, rescaled to a common `top`.
void merge(const DecodeShape& t,
           std::span<const DecodePart> parts,
           int head,
           std::span<float> o) {
  float top = -std::numeric_limits<float>::infinity();
  for (const DecodePart& part : parts) {
    // If the top of a part is NaN, its sum makes the output of the head NaN.
    top = std::max(top, part.top[head]);
  }
  std::array<float, DecodeScratch::kParts> share{};
  float sum = 0.0F;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float highest = parts[i].top[head];
    share[i] = highest == top ? 1.0F : std::exp2(highest - top);
    sum += share[i] * parts[i].sum[head * DecodePart::kLanes];
  }
  const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
  std::ranges::fill(o, 0.0F);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float factor = inverse * share[i];
    const float* from = parts[i].o + head * t.padded;
    for (float& x : o) {
      x += factor * *from++;
    }
  }
}

}  // namespace

DecodeScratch::DecodeScratch(int heads, int width, Arena& arena) {
  const std::ptrdiff_t padded = num::padded(width);
  const auto floats = [&](std::ptrdiff_t count) {
    return piece<float>(arena, count).data();
  };
  q_ = floats(heads * padded);
  parts_ = pieces<DecodePart>(arena, kParts, [&](int /*i*/) {
    DecodePart part{};
    part.top = floats(heads);
    part.sum = floats(std::ptrdiff_t{heads} * DecodePart::kLanes);
    part.o = floats(heads * padded);
    part.p = floats(std::ptrdiff_t{heads} * DecodePart::kPanel);
    return part;
  });
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
  const auto factor =
      static_cast<float>(static_cast<double>(query.scale) * std::numbers::log2e);
  for (int h = 0; h < t.heads; ++h) {
    for (int i = 0; i < width; ++i) {
      scratch.q()[h * t.padded + i] =
          factor * query.q[static_cast<std::size_t>(h * width + i)];
    }
  }
  constexpr int kMinRows = 1024;  // smallest number of rows for a part
  const int count = std::clamp(rows / kMinRows, 1, DecodeScratch::kParts);
  const auto begin = [&](std::int64_t part) {
    const auto panel =
        static_cast<int>(part * panels_of(rows, DecodePart::kPanel) / count);
    return std::min(panel * DecodePart::kPanel, rows);
  };
  const std::span<DecodePart> parts =
      scratch.parts().first(static_cast<std::size_t>(count));
  // True if keys and values exceed the L2 cache.
  const auto beyond_cache = [&](std::size_t element) {
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
                     beyond_cache(sizeof(*all)),
                     parts[static_cast<std::size_t>(part)]});
        },
        cache.memory());
  };
  parallel_stretches(std::int64_t{t.groups} * count, count == 1 ? 1 : threads, job);
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
