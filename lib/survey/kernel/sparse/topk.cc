#include "survey/kernel/sparse/topk.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/sparse/gather.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#ifndef OA_ATTENTION_KERNEL_TOPK  // once, not once per target
#define OA_ATTENTION_KERNEL_TOPK
namespace oa::attention {
namespace {

constexpr int kRows = 32;   // queries of a tile
constexpr int kKeys = 256;  // keys of a tile

// Converts a rank to its float.  Ranks are integers in the order of their floats.
float logit_of(std::int32_t rank) {
  constexpr std::int32_t kAllButSign = std::numeric_limits<std::int32_t>::max();
  return std::bit_cast<float>(rank < 0 ? rank ^ kAllButSign : rank);
}

// The candidates of a query, by ascending column.
// Logits below `floor` cannot be among the `count` best; a NaN `floor` excludes none.
struct Shortlist {
  std::int32_t* ranks = nullptr;
  std::int32_t* columns = nullptr;
  int room = 0;
  int count = 0;
  int size = 0;
  float floor = std::numeric_limits<float>::quiet_NaN();
};

// Twice the kept keys, so that pruning is rare, and more than a vector.
int shortlist_room(int kept) {
  return num::padded(2 * kept + 32);
}

// The sum of exp(logit - top), updated as logits arrive.
struct StreamedSum {
  float top = std::numeric_limits<float>::lowest();
  float sum = 0.0F;

  [[nodiscard]] float log() const {
    return sum == 0.0F ? -std::numeric_limits<float>::infinity() : top + std::log(sum);
  }
};

}  // namespace
}  // namespace oa::attention
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

// clang-format off: it belongs behind the choice of the instruction set
#include "oa/attention/kernel/exponent-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, num::kLane>;

using Ranks = hn::RebindToSigned<Floats>;

HWY_INLINE int lanes() {
  return static_cast<int>(hn::Lanes(Floats()));
}

HWY_INLINE hn::Mask<Floats> within(int j, int count) {
  return hn::FirstN(Floats(), static_cast<size_t>(std::min(lanes(), count - j)));
}

// NaN ranks as infinity: it is kept and makes the weights of its row NaN.
HWY_INLINE hn::Vec<Ranks> rank_of(hn::Vec<Floats> x) {
  const Floats f;
  const Ranks r;
  const auto infinite = hn::Set(f, std::numeric_limits<float>::infinity());
  x = hn::IfThenElse(hn::IsNaN(x), infinite, hn::Add(x, hn::Zero(f)));  // -0 becomes 0
  const auto bits = hn::BitCast(r, x);
  const auto negative = hn::BroadcastSignBit(bits);
  return hn::Xor(bits, hn::And(negative, hn::Set(r, 0x7FFFFFFF)));
}

HWY_INLINE hn::Mask<Ranks> at_least(const Shortlist& list, int i, std::int32_t rank) {
  const Ranks r;
  const auto some =
      hn::FirstN(r, static_cast<size_t>(std::min(lanes(), list.size - i)));
  return hn::And(some, hn::Gt(hn::LoadU(r, list.ranks + i), hn::Set(r, rank - 1)));
}

HWY_INLINE int count_at_least(const Shortlist& list, std::int32_t rank) {
  int count = 0;
  for (int i = 0; i < list.size; i += lanes()) {
    count += static_cast<int>(hn::CountTrue(Ranks(), at_least(list, i, rank)));
  }
  return count;
}

// Writes the chosen lanes from place `to` on, then arbitrary lanes.  Returns the number
// of chosen lanes.  (CompressStore() is several times slower on some machines.)
HWY_INLINE int append(hn::Vec<Ranks> ranks,
                      hn::Vec<Ranks> columns,
                      hn::Mask<Ranks> chosen,
                      const Shortlist& list,
                      int to) {
  const Ranks r;
  hn::StoreU(hn::Compress(ranks, chosen), r, list.ranks + to);
  hn::StoreU(hn::Compress(columns, chosen), r, list.columns + to);
  return static_cast<int>(hn::CountTrue(r, chosen));
}

// Drops candidates below `rank`.
HWY_INLINE void keep_at_least(std::int32_t rank, Shortlist& list) {
  const Ranks r;
  int kept = 0;
  for (int i = 0; i < list.size; i += lanes()) {
    const auto best = at_least(list, i, rank);
    const auto ranks = hn::LoadU(r, list.ranks + i);
    const auto columns = hn::LoadU(r, list.columns + i);
    kept += append(ranks, columns, best, list, kept);
  }
  list.size = kept;
}

// Keeps list.count candidates: those above `rank`, then the first of those equal to it.
void keep_first(std::int32_t rank, Shortlist& list) {
  int equal = list.count;
  for (int i = 0; i < list.size; ++i) {
    equal -= list.ranks[i] > rank ? 1 : 0;
  }
  int kept = 0;
  for (int i = 0; i < list.size; ++i) {
    if (list.ranks[i] > rank || (list.ranks[i] == rank && equal-- > 0)) {
      list.ranks[kept] = list.ranks[i];
      list.columns[kept++] = list.columns[i];
    }
  }
  list.size = kept;
}

// Keeps only the best candidates.  Finds their lowest rank by bisection and counts
// whole vectors: heaps and sorts would mispredict most comparisons.
HWY_ATTR void prune(Shortlist& list) {
  // At least list.count candidates have a rank >= `low`; fewer have a rank > `high`.
  std::int32_t low = std::numeric_limits<std::int32_t>::min();
  std::int32_t high = std::numeric_limits<std::int32_t>::max();
  while (low < high) {
    const std::int64_t sum = std::int64_t{low} + high + 1;
    const auto middle = static_cast<std::int32_t>(sum >> 1);
    const int count = count_at_least(list, middle);
    if (count == list.count) {
      keep_at_least(middle, list);
      list.floor = logit_of(middle);
      return;
    }
    if (count > list.count) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  keep_first(low, list);
  list.floor = logit_of(low + 1);  // later logits equal to `low` are dropped
}

// Offers all logits to a shortlist, which rejects most of them vector by vector.
HWY_ATTR void offer_all(const float* logits,
                        int count,
                        int first_column,
                        Shortlist& list) {
  const Floats f;
  const Ranks r;
  for (int j = 0; j < count; j += lanes()) {
    const auto some = within(j, count);
    const auto x = hn::MaskedLoad(some, f, logits + j);
    const auto best = hn::AndNot(hn::Lt(x, hn::Set(f, list.floor)), some);
    if (HWY_LIKELY(hn::AllFalse(f, best))) {
      continue;
    }
    const auto entering = hn::RebindMask(r, best);
    const auto columns = hn::Iota(r, first_column + j);
    list.size += append(rank_of(x), columns, entering, list, list.size);
    if (list.size + lanes() > list.room) {
      prune(list);
    }
  }
}

HWY_ATTR void finish(Shortlist& list) {
  if (list.size > list.count) {
    prune(list);
  }
}

HWY_ATTR void add_exponentials(const float* logits, int count, StreamedSum& s) {
  const Floats f;
  const float before = s.top;
  auto most = hn::Set(f, before);
  for (int j = 0; j < count; j += lanes()) {
    const auto some = within(j, count);
    const auto x = hn::IfThenElse(some, hn::MaskedLoad(some, f, logits + j), most);
    most = hn::IfThenElse(hn::Gt(x, most), x, most);  // ignores NaN
  }
  s.top = hn::GetLane(hn::MaxOfLanes(f, most));
  auto sums = hn::Zero(f);
  const auto top = hn::Set(f, s.top);
  for (int j = 0; j < count; j += lanes()) {
    const auto some = within(j, count);
    const auto x = hn::MaskedLoad(some, f, logits + j);
    sums = hn::Add(sums, hn::IfThenElseZero(some, exp_of(f, hn::Sub(x, top))));
  }
  const float old = s.sum == 0.0F ? 0.0F : s.sum * std::exp(before - s.top);
  s.sum = old + hn::GetLane(hn::SumOfLanes(f, sums));
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(finish);
HWY_EXPORT(offer_all);
HWY_EXPORT(add_exponentials);

// Some queries of one head, and a thread's memory for them.
struct Block {
  int head;
  int first;
  int count;
  num::View scores;
  std::span<std::int32_t> lists;
};

void keep_best(const HeadsView& x,
               int head,
               int query,
               Shortlist& list,
               const StreamedSum& all,
               num::View o,
               const TopkKept& kept,
               const TopkSums& sums) {
  const int d = x.width();
  const auto keys = kept.columns_of(head, query);
  const auto weights = kept.weights_of(head, query);
  HWY_DYNAMIC_DISPATCH(finish)(list);
  std::copy_n(list.columns, list.size, keys.begin());
  std::transform(list.ranks, list.ranks + list.size, weights.begin(), logit_of);
  const float log_sum = softmax_in_place(weights);
  const auto v = columns(x.v, head / x.heads_per_group() * d, d);
  gather_sum(weights, v, keys, o.row(query) + head * d);
  if (sums.log_sums.rows > 0) {
    sums.log_sums(head, query) = all.log();
  }
  if (sums.tails.rows > 0) {
    sums.tails(head, query) =
        keys.empty() ? 0.0F : std::max(0.0F, 1.0F - std::exp(log_sum - all.log()));
  }
}

void forward_block(const HeadsView& x,
                   const Block& b,
                   num::View o,
                   const TopkKept& kept,
                   const TopkSums& sums,
                   num::ConstView transposed_keys) {
  const int d = x.width();
  const bool sum_all = sums.log_sums.rows > 0 || sums.tails.rows > 0;
  std::array<Shortlist, kRows> lists;
  std::array<StreamedSum, kRows> all;
  for (int r = 0; r < b.count; ++r) {
    Shortlist& list = lists[at(r)];
    list.room = shortlist_room(kept.size);
    list.ranks = b.lists.data() + std::ptrdiff_t{2 * r} * list.room;
    list.columns = list.ranks + list.room;
    list.count = kept.count(b.first + r);
  }
  const auto q = columns(x.q, b.head * d, d);
  const int end = kept.causal ? std::min(kept.keys, b.first + b.count) : kept.keys;
  for (int key = 0; key < end; key += kKeys) {
    const int width = std::min(kKeys, end - key);
    const num::View s{b.scores.data, b.count, width, b.scores.stride};
    num::matmul({q.row(b.first), b.count, d, q.stride},
                {transposed_keys.data + key, d, width, transposed_keys.stride},
                s,
                x.scale);
    for (int r = 0; r < b.count; ++r) {
      const int seen = kept.causal ? std::min(width, b.first + r + 1 - key) : width;
      if (seen <= 0) {
        continue;
      }
      HWY_DYNAMIC_DISPATCH(offer_all)(s.row(r), seen, key, lists[at(r)]);
      if (sum_all) {
        HWY_DYNAMIC_DISPATCH(add_exponentials)(s.row(r), seen, all[at(r)]);
      }
    }
  }
  for (int r = 0; r < b.count; ++r) {
    keep_best(x, b.head, b.first + r, lists[at(r)], all[at(r)], o, kept, sums);
  }
}

}  // namespace

TopkKept topk_kept(const HeadsShape& shape, int k, bool causal, Arena& arena) {
  assert(k >= 1);
  TopkKept kept;
  kept.queries = shape.queries;
  kept.keys = shape.keys;
  kept.size = std::min(k, shape.keys);
  kept.causal = causal;
  const auto size = at(std::int64_t{shape.heads} * shape.queries * kept.size);
  kept.columns = {static_cast<int*>(arena.allocate(size * sizeof(int))), size};
  kept.weights = {static_cast<float*>(arena.allocate(size * sizeof(float))), size};
  return kept;
}

TopkScratch topk_scratch(const TopkKept& kept, int threads, Arena& arena) {
  TopkScratch s;
  s.scores = num::zeros(threads * kRows, std::min(kKeys, kept.keys), arena);
  const auto lists = at(std::int64_t{threads} * kRows * 2 * shortlist_room(kept.size));
  s.lists = {static_cast<std::int32_t*>(arena.allocate(lists * sizeof(std::int32_t))),
             lists};
  const auto room = at(std::int64_t{threads} * num::padded(kept.size));
  s.d_logits = {static_cast<float*>(arena.allocate(room * sizeof(float))), room};
  return s;
}

void transpose_keys(const HeadsView& x, num::View transposed, int threads) {
  assert(well_formed(x) && transposed.rows == x.k.cols && transposed.cols == x.k.rows);
  const int d = x.width();
  parallel_for(x.groups, threads, [&](std::int64_t group, int /*worker*/) {
    const int first = static_cast<int>(group) * d;
    num::transpose(columns(x.k, first, d), row_block(transposed, first, d));
  });
}

void topk_forward(const HeadsView& x,
                  num::ConstView transposed_keys,
                  num::View o,
                  const TopkKept& kept,
                  const TopkSums& sums,
                  const TopkScratch& scratch,
                  int threads) {
  assert(num::same_shape(o, x.q) && transposed_keys.rows == x.v.cols &&
         transposed_keys.cols == kept.keys && x.v.rows == kept.keys);
  const int d = x.width();
  const int blocks = (x.q.rows + kRows - 1) / kRows;
  const auto room = at(kRows * std::int64_t{2} * shortlist_room(kept.size));
  parallel_for(std::int64_t{x.heads} * blocks, threads, [&](std::int64_t job, int w) {
    const auto head = static_cast<int>(job / blocks);
    const auto first = static_cast<int>(job % blocks) * kRows;
    const Block block{head,
                      first,
                      std::min(kRows, x.q.rows - first),
                      row_block(scratch.scores, w * kRows, kRows),
                      scratch.lists.subspan(at(w) * room, room)};
    const int group = head / x.heads_per_group();
    forward_block(x, block, o, kept, sums, row_block(transposed_keys, group * d, d));
  });
}

void topk_backward(const HeadsView& x,
                   const TopkKept& kept,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   const TopkScratch& scratch,
                   int threads) {
  assert(well_formed(x) && num::same_shape(d_o, x.q));
  const int d = x.width();
  parallel_for(x.groups, threads, [&](std::int64_t job, int w) {
    const auto group = static_cast<int>(job);
    const auto k = columns(x.k, group * d, d);
    const auto v = columns(x.v, group * d, d);
    const auto dk = columns(gradient.k, group * d, d);
    const auto dv = columns(gradient.v, group * d, d);
    num::fill(dk, 0.0F);
    num::fill(dv, 0.0F);
    for (int j = 0; j < x.heads_per_group(); ++j) {
      const int h = group * x.heads_per_group() + j;
      for (int i = 0; i < x.q.rows; ++i) {
        const auto room = scratch.d_logits.subspan(
            at(w * std::int64_t{num::padded(kept.size)}), at(kept.count(i)));
        list_backward({x.q.row(i) + h * d,
                       d_o.row(i) + h * d,
                       kept.columns_of(h, i),
                       kept.weights_of(h, i),
                       room},
                      k,
                      v,
                      x.scale,
                      gradient.q.row(i) + h * d,
                      dk,
                      dv);
      }
    }
  });
}

}  // namespace oa::attention
#endif
