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

/// Rows of keys that a decoder of a band has to remember.
int remembered(const Pattern& pattern, int tokens) {
  int most = 0;
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

MaskedDecoder::MaskedDecoder(const HeadMaps& maps,
                             Pattern pattern,
                             int tokens,
                             const Resources& resources,
                             CacheNumbers numbers)
    : maps_(maps),
      pattern_(std::move(pattern)),
      cache_(maps_, pattern_.is_band() ? 1 : tokens, resources),
      scratch_(maps_.heads(), maps_.head_dim(), resources.scratch),
      threads_(resources.threads) {
  assert(numbers == CacheNumbers::Float || pattern_.is_band());
  if (pattern_.is_band()) {
    band_.emplace(remembered(pattern_, tokens),
                  maps_.groups(),
                  maps_.head_dim(),
                  numbers,
                  resources.kept);
  } else {
    list_ = csr_scratch(Pattern::all(1, tokens), 1, resources.scratch);
  }
}

void MaskedDecoder::step(const parts::Weights& weights, ConstView x, View y) {
  (void)mix(weights, x);
  finish(weights, y);
}

View MaskedDecoder::mix(const parts::Weights& weights, ConstView x) {
  assert(cache_.tokens() < pattern_.queries());
  cache_.append(maps_, weights, x);
  const View mixed = cache_.token().mixed;
  const int known = cache_.known();
  const HeadsView heads = cache_.heads(maps_, known);
  if (band_) {
    const auto cols = static_cast<std::size_t>(heads.k.cols);
    band_->put((cache_.tokens() - 1) % band_->rows(),
               {heads.k.row(0), cols},
               {heads.v.row(0), cols});
    decode(query_of(heads),
           *band_,
           std::min(cache_.tokens(), band_->rows()),
           {mixed.row(0), static_cast<std::size_t>(mixed.cols)},
           threads_,
           scratch_);
  } else {
    const auto runs = pattern_.runs(known - 1);
    const auto seen = Pattern::of_runs(
        known, {0, static_cast<std::int64_t>(runs.size())}, {runs.begin(), runs.end()});
    csr_forward(heads, seen, mixed, {}, *list_, 1);
  }
  return mixed;
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
