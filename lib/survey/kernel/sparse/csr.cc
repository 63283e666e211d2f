#include "survey/kernel/sparse/csr.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/rows.h"
#include "survey/kernel/sparse/gather.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

constexpr int kQueriesAtOnce = 16;  // work for a thread

template <class T>
std::span<T> of_worker(std::span<T> all, int room, int worker) {
  return all.subspan(at(std::int64_t{worker} * room), at(room));
}

void forward_query(const HeadsView& x,
                   int group,
                   int query,
                   std::span<const int> keys,
                   std::span<float> weights,
                   num::View o,
                   num::View log_sums) {
  const int d = x.width();
  const auto k = columns(x.k, group * d, d);
  const auto v = columns(x.v, group * d, d);
  for (int h = group * x.heads_per_group(); h < (group + 1) * x.heads_per_group();
       ++h) {
    gather_dots(x.q.row(query) + h * d, k, keys, x.scale, weights);
    const float log_sum = softmax_in_place(weights);
    gather_sum(weights, v, keys, o.row(query) + h * d);
    if (log_sums.rows > 0) {
      log_sums(h, query) = log_sum;
    }
  }
}

}  // namespace

CsrScratch csr_scratch(const Pattern& pattern, int threads, Arena& arena) {
  CsrScratch s;
  s.room = num::padded(largest_degree(pattern));
  const auto size = at(std::int64_t{threads} * s.room);
  s.keys = {static_cast<int*>(arena.allocate(size * sizeof(int))), size};
  s.weights = {static_cast<float*>(arena.allocate(size * sizeof(float))), size};
  s.d_logits = {static_cast<float*>(arena.allocate(size * sizeof(float))), size};
  return s;
}

void csr_forward(const HeadsView& x,
                 const Pattern& pattern,
                 num::View o,
                 num::View log_sums,
                 const CsrScratch& scratch,
                 int threads) {
  assert(well_formed(x) && num::same_shape(o, x.q));
  assert(pattern.queries() == x.q.rows && pattern.keys() == x.k.rows);
  const int parts = (x.q.rows + kQueriesAtOnce - 1) / kQueriesAtOnce;
  parallel_for(parts, threads, [&](std::int64_t part, int w) {
    const auto room = of_worker(scratch.keys, scratch.room, w);
    const int first = static_cast<int>(part) * kQueriesAtOnce;
    for (int i = first; i < std::min(first + kQueriesAtOnce, x.q.rows); ++i) {
      const auto keys = list_keys(pattern, i, room);
      const auto weights =
          of_worker(scratch.weights, scratch.room, w).first(keys.size());
      for (int group = 0; group < x.groups; ++group) {
        forward_query(x, group, i, keys, weights, o, log_sums);
      }
    }
  });
}

void csr_backward(const HeadsView& x,
                  const Pattern& pattern,
                  num::ConstView log_sums,
                  num::ConstView d_o,
                  const HeadsGradient& gradient,
                  const CsrScratch& scratch,
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
    for (int i = 0; i < x.q.rows; ++i) {
      const auto keys = list_keys(pattern, i, of_worker(scratch.keys, scratch.room, w));
      const auto p = of_worker(scratch.weights, scratch.room, w).first(keys.size());
      const auto ds = of_worker(scratch.d_logits, scratch.room, w).first(keys.size());
      for (int j = 0; j < x.heads_per_group(); ++j) {
        const int h = group * x.heads_per_group() + j;
        const float* q = x.q.row(i) + h * d;
        gather_dots(q, k, keys, x.scale, p);
        weights_in_place(p, log_sums(h, i));
        list_backward({q, d_o.row(i) + h * d, keys, p, ds},
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
