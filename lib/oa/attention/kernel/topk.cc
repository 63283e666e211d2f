#include "oa/attention/kernel/topk.h"

#include "oa/attention/kernel/gather.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/gemm.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#ifndef OA_ATTENTION_KERNEL_TOPK  // once, not once per target
#define OA_ATTENTION_KERNEL_TOPK
namespace oa::attention {
namespace {

constexpr int kRows = 32;   // queries of a tile
constexpr int kKeys = 256;  // keys of a tile

bool worse(const Candidate& a, const Candidate& b) {
  return a.logit < b.logit || (a.logit == b.logit && a.column > b.column);
}

// The best candidates so far, the worst of them on top.
class Heap {
 public:
  Heap() = default;
  explicit Heap(std::span<Candidate> room) : room_(room) {}

  [[nodiscard]] bool full() const { return size_ == room_.size(); }
  [[nodiscard]] float lowest_logit() const { return room_[0].logit; }
  [[nodiscard]] std::span<Candidate> all() { return room_.first(size_); }

  // A NaN counts as infinite: it is kept, and the weights of its row become NaN.
  void offer(float logit, int column) {
    const Candidate c{std::isnan(logit) ? kInfinite : logit, column};
    if (!full()) {
      room_[size_++] = c;
      rise(size_ - 1);
    } else if (worse(room_[0], c)) {
      room_[0] = c;
      sink();
    }
  }

 private:
  static constexpr float kInfinite = std::numeric_limits<float>::infinity();

  void rise(std::size_t i) {
    while (i > 0 && worse(room_[i], room_[(i - 1) / 2])) {
      std::swap(room_[i], room_[(i - 1) / 2]);
      i = (i - 1) / 2;
    }
  }

  void sink() {
    const Candidate c = room_[0];
    std::size_t i = 0;
    for (std::size_t child = 1; child < size_; child = 2 * i + 1) {
      if (child + 1 < size_ && worse(room_[child + 1], room_[child])) {
        ++child;
      }
      if (!worse(room_[child], c)) {
        break;
      }
      room_[i] = room_[child];
      i = child;
    }
    room_[i] = c;
  }

  std::span<Candidate> room_;
  std::size_t size_ = 0;
};

// sum exp(logit - top), as logits stream by.
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

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/attention/kernel/topk.cc"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

// clang-format off: it belongs behind the choice of the instruction set
#include "oa/attention/kernel/exponent-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, num::kLane>;

// Offers all logits to a heap; most are looked at only in vectors, since they are below
// the worst that it holds.
HWY_ATTR void offer_all(const float* logits, int count, int first_column, Heap& heap) {
  const Floats f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  int j = 0;
  for (; j < count && !heap.full(); ++j) {
    heap.offer(logits[j], first_column + j);
  }
  for (; j < count; j += lanes) {
    const auto some = hn::FirstN(f, static_cast<size_t>(std::min(lanes, count - j)));
    const auto below =
        hn::Le(hn::MaskedLoad(some, f, logits + j), hn::Set(f, heap.lowest_logit()));
    const auto above = hn::AndNot(below, some);  // and NaN
    if (HWY_LIKELY(hn::AllFalse(f, above))) {
      continue;
    }
    std::uint8_t bytes[8] = {};
    (void)hn::StoreMaskBits(f, above, bytes);
    for (unsigned bits = bytes[0] | unsigned{bytes[1]} << 8; bits != 0;
         bits &= bits - 1) {
      const int i = j + std::countr_zero(bits);
      heap.offer(logits[i], first_column + i);
    }
  }
}

HWY_ATTR void add_exponentials(const float* logits, int count, StreamedSum& s) {
  const Floats f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const float before = s.top;
  for (int j = 0; j < count; ++j) {
    s.top = logits[j] > s.top ? logits[j] : s.top;
  }
  auto sums = hn::Zero(f);
  const auto top = hn::Set(f, s.top);
  for (int j = 0; j < count; j += lanes) {
    const auto some = hn::FirstN(f, static_cast<size_t>(std::min(lanes, count - j)));
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

HWY_EXPORT(offer_all);
HWY_EXPORT(add_exponentials);

// Some queries of one head, and what a thread needs for them.
struct Block {
  int head;
  int first;
  int count;
  num::View scores;
  std::span<Candidate> heaps;
};

void keep_best(const HeadsView& x,
               int head,
               int query,
               Heap& heap,
               const StreamedSum& all,
               num::View o,
               const TopkKept& kept,
               const TopkSums& sums) {
  const int d = x.width();
  const auto best = heap.all();
  std::ranges::sort(best, {}, &Candidate::column);
  const auto keys = kept.columns_of(head, query);
  const auto weights = kept.weights_of(head, query);
  std::ranges::transform(best, keys.begin(), &Candidate::column);
  std::ranges::transform(best, weights.begin(), &Candidate::logit);
  const float log_sum = softmax_in_place(weights);
  const auto v = columns(x.v, head / x.heads_per_group() * d, d);
  gather_sum(weights, v, keys, o.row(query) + head * d);
  if (sums.log_sums.rows > 0) {
    sums.log_sums(head, query) = all.log();
  }
  if (sums.tails.rows > 0) {
    sums.tails(head, query) =
        best.empty() ? 0.0F : std::max(0.0F, 1.0F - std::exp(log_sum - all.log()));
  }
}

void forward_block(const HeadsView& x,
                   const Block& b,
                   num::View o,
                   const TopkKept& kept,
                   const TopkSums& sums,
                   num::ConstView k_transposed) {
  const int d = x.width();
  const bool sum_all = sums.log_sums.rows > 0 || sums.tails.rows > 0;
  std::array<Heap, kRows> heaps;
  std::array<StreamedSum, kRows> all;
  for (int r = 0; r < b.count; ++r) {
    heaps[at(r)] = Heap(
        b.heaps.subspan(at(std::int64_t{r} * kept.size), at(kept.count(b.first + r))));
  }
  const auto q = columns(x.q, b.head * d, d);
  const int end = kept.causal ? std::min(x.k.rows, b.first + b.count) : x.k.rows;
  for (int key = 0; key < end; key += kKeys) {
    const int width = std::min(kKeys, end - key);
    const num::View s{b.scores.data, b.count, width, b.scores.stride};
    num::matmul({q.row(b.first), b.count, d, q.stride},
                {k_transposed.data + key, d, width, k_transposed.stride},
                s,
                x.scale);
    for (int r = 0; r < b.count; ++r) {
      const int seen = kept.causal ? std::min(width, b.first + r + 1 - key) : width;
      if (seen <= 0) {
        continue;
      }
      HWY_DYNAMIC_DISPATCH(offer_all)(s.row(r), seen, key, heaps[at(r)]);
      if (sum_all) {
        HWY_DYNAMIC_DISPATCH(add_exponentials)(s.row(r), seen, all[at(r)]);
      }
    }
  }
  for (int r = 0; r < b.count; ++r) {
    keep_best(x, b.head, b.first + r, heaps[at(r)], all[at(r)], o, kept, sums);
  }
}

}  // namespace

TopkKept topk_kept(const HeadsView& x, int k, bool causal, Arena& arena) {
  assert(k >= 1);
  TopkKept kept;
  kept.queries = x.q.rows;
  kept.keys = x.k.rows;
  kept.size = std::min(k, x.k.rows);
  kept.causal = causal;
  const auto size = at(std::int64_t{x.heads} * x.q.rows * kept.size);
  kept.columns = {static_cast<int*>(arena.allocate(size * sizeof(int))), size};
  kept.weights = {static_cast<float*>(arena.allocate(size * sizeof(float))), size};
  return kept;
}

TopkScratch topk_scratch(const HeadsView& x,
                         const TopkKept& kept,
                         int threads,
                         Arena& arena) {
  TopkScratch s;
  s.k_transposed = num::zeros(x.k.cols, x.k.rows, arena);
  s.scores = num::zeros(threads * kRows, std::min(kKeys, x.k.rows), arena);
  const auto heaps = at(std::int64_t{threads} * kRows * kept.size);
  s.heaps = {static_cast<Candidate*>(arena.allocate(heaps * sizeof(Candidate))), heaps};
  const auto room = at(std::int64_t{threads} * num::padded(kept.size));
  s.d_logits = {static_cast<float*>(arena.allocate(room * sizeof(float))), room};
  return s;
}

void topk_forward(const HeadsView& x,
                  num::View o,
                  const TopkKept& kept,
                  const TopkSums& sums,
                  const TopkScratch& scratch,
                  int threads) {
  assert(well_formed(x) && num::same_shape(o, x.q));
  const int d = x.width();
  parallel_for(x.groups, threads, [&](std::int64_t group, int /*worker*/) {
    const int first = static_cast<int>(group) * d;
    num::transpose(columns(x.k, first, d), row_block(scratch.k_transposed, first, d));
  });
  const int blocks = (x.q.rows + kRows - 1) / kRows;
  const auto heaps = at(kRows * std::int64_t{kept.size});
  parallel_for(std::int64_t{x.heads} * blocks, threads, [&](std::int64_t job, int w) {
    const auto head = static_cast<int>(job / blocks);
    const auto first = static_cast<int>(job % blocks) * kRows;
    const Block block{head,
                      first,
                      std::min(kRows, x.q.rows - first),
                      row_block(scratch.scores, w * kRows, kRows),
                      scratch.heaps.subspan(at(w) * heaps, heaps)};
    const int group = head / x.heads_per_group();
    forward_block(
        x, block, o, kept, sums, row_block(scratch.k_transposed, group * d, d));
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
    clear(dk);
    clear(dv);
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
