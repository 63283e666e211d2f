#include "oa/attention/masked.h"

#include "oa/attention/kernel/fused_rows.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

HeadsShape shape_of(const HeadMaps& maps, int queries, int keys) {
  return {.queries = queries,
          .keys = keys,
          .heads = maps.heads(),
          .groups = maps.groups(),
          .width = maps.head_dim()};
}

/// The last token's.
DecodeQuery query_of(const HeadsView& heads) {
  return {.q = {heads.q.row(0), static_cast<std::size_t>(heads.q.cols)},
          .heads = heads.heads,
          .groups = heads.groups,
          .scale = heads.scale};
}

/// Rows of keys that a decoder has to remember.
int remembered(const Pattern& pattern, int tokens) {
  int most = 0;
  if (!pattern.is_band()) {
    return tokens;
  }
  for (int i = 0; i < tokens; ++i) {
    most = std::max(most, i + 1 - pattern.band_row(i).begin);
  }
  return most;
}

}  // namespace

MaskedAttention::MaskedAttention(const HeadMaps& maps,
                                 Pattern pattern,
                                 int tokens,
                                 const Resources& resources,
                                 const ExactSettings& settings)
    : maps_(maps),
      at_(maps_.workspace(tokens, resources)),
      core_(shape_of(maps_, at_.q.rows, at_.k.rows),
            std::move(pattern),
            resources,
            settings) {}

void MaskedAttention::forward(const parts::Weights& weights, ConstView x, View o) {
  maps_.forward(weights, x, at_);
  core_.forward(heads_of(maps_, at_), at_.mixed);
  maps_.finish(weights, o, at_);
}

void MaskedAttention::backward(const parts::Weights& weights,
                               ConstView x,
                               ConstView d_o,
                               View dx,
                               parts::Values& gradient) {
  const ConstView dmixed = maps_.begin_backward(weights, d_o, gradient, at_);
  core_.backward(
      heads_of(maps_, at_), at_.mixed, dmixed, {.q = at_.dq, .k = at_.dk, .v = at_.dv});
  maps_.backward(weights, x, dx, gradient, at_);
}

std::vector<num::Matrix> MaskedAttention::value_weights() const {
  return softmax_weights(heads_of(maps_, at_), core_.pattern());
}

HalfRows::HalfRows(int rows, int cols, Arena& arena)
    : data_(piece<std::uint16_t>(arena, std::ptrdiff_t{rows} * cols)),
      rows_(rows),
      cols_(cols) {}

void HalfRows::put(int row, std::span<const float> from) {
  to_half(from, {data_ + std::ptrdiff_t{row} * cols_, from.size()});
}

HalfView HalfRows::top(int rows) const {
  return {data_, rows, cols_, cols_};
}

MaskedDecoder::MaskedDecoder(const HeadMaps& maps,
                             Pattern pattern,
                             int tokens,
                             const Resources& resources,
                             CacheNumbers numbers)
    : maps_(maps),
      pattern_(std::move(pattern)),
      cache_(maps_,
             numbers == CacheNumbers::Half ? 1 : remembered(pattern_, tokens),
             resources),
      scratch_(maps_.heads(), maps_.head_dim(), resources.scratch),
      threads_(resources.threads) {
  assert(numbers == CacheNumbers::Float || pattern_.is_band());
  if (numbers == CacheNumbers::Half) {
    const int rows = remembered(pattern_, tokens);
    const int cols = maps_.groups() * maps_.head_dim();
    halves_ = Halves{{rows, cols, resources.kept}, {rows, cols, resources.kept}};
  }
  if (!pattern_.is_band()) {
    const HeadsShape shape = shape_of(maps_, 1, tokens);
    tiles_.emplace(shape, plan_fused(shape), 1, resources.scratch);
  }
}

void MaskedDecoder::step(const parts::Weights& weights, ConstView x, View y) {
  (void)mix(weights, x);
  finish(weights, y);
}

View MaskedDecoder::mix(const parts::Weights& weights, ConstView x) {
  assert(cache_.tokens() < pattern_.queries());
  cache_.append(maps_, weights, x);
  const int known = cache_.known();
  const HeadsView heads = cache_.heads(maps_, known);
  const View mixed = cache_.token().mixed;
  if (halves_) {
    mix_halves(heads);
  } else if (!tiles_) {
    const auto width = static_cast<std::size_t>(mixed.cols);
    decode(
        query_of(heads), heads.k, heads.v, {mixed.row(0), width}, threads_, scratch_);
  } else {
    const auto runs = pattern_.runs(known - 1);
    const auto seen = Pattern::of_runs(
        known, {0, static_cast<std::int64_t>(runs.size())}, {runs.begin(), runs.end()});
    fused_forward(heads, seen, mixed, {}, *tiles_);
  }
  return mixed;
}

void MaskedDecoder::mix_halves(const HeadsView& last) {
  const int rows = halves_->k.rows();
  const int place = (cache_.tokens() - 1) % rows;
  const auto cols = static_cast<std::size_t>(last.k.cols);
  halves_->k.put(place, {last.k.row(0), cols});
  halves_->v.put(place, {last.v.row(0), cols});
  const int known = std::min(cache_.tokens(), rows);
  const View mixed = cache_.token().mixed;
  decode(query_of(last),
         halves_->k.top(known),
         halves_->v.top(known),
         {mixed.row(0), static_cast<std::size_t>(mixed.cols)},
         threads_,
         scratch_);
}

void MaskedDecoder::finish(const parts::Weights& weights, View y) const {
  maps_.finish(weights, y, cache_.token());
}

parts::Cost masked_cost(const HeadMaps& maps, const Pattern& pattern, int dim) {
  const HeadsShape shape = shape_of(maps, pattern.queries(), pattern.keys());
  const int rows = plan_fused(shape).rows;
  const std::int64_t n = pattern.queries();
  std::int64_t read = 0;  // rows of keys by all tiles
  for (std::int64_t q = 0; q < n; q += rows) {
    const auto last = static_cast<int>(std::min(n, q + rows)) - 1;
    read += pattern.is_band()
                ? std::max(0,
                           pattern.band_row(last).end -
                               pattern.band_row(static_cast<int>(q)).begin)
                : pattern.keys();
  }
  parts::Cost cost;
  cost.pairs = pattern.pairs();
  cost.forward = 4 * cost.pairs * dim;
  cost.backward = 10 * cost.pairs * dim;
  cost.exponentials = maps.heads() * cost.pairs;
  cost.traffic = 4 * (2 * n * dim + 2 * read * maps.groups() * maps.head_dim());
  return cost;
}

Pattern full_pattern(const Site& site, int tokens) {
  return site.causal ? Pattern::causal(tokens)
                     : Pattern::all(site.queries(tokens), site.keys(tokens));
}

}  // namespace oa::attention
