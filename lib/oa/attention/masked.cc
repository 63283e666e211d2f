#include "oa/attention/masked.h"

#include "oa/attention/kernel/fused/fused.h"
#include "oa/base/index.h"
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

/// The query of the last token.
DecodeQuery query_of(const HeadsView& heads) {
  return {.q = {heads.q.row(0), static_cast<std::size_t>(heads.q.cols)},
          .heads = heads.heads,
          .groups = heads.groups,
          .scale = heads.scale};
}

/// The number of keys that a band needs in the cache.
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
            settings),
      precision_(resources.backward ? Precision::Float : settings.precision) {}

void MaskedAttention::forward(const parts::Weights& weights, ConstView x, View o) {
  maps_.forward(weights, x, at_);
  round_heads(precision_, maps_.head_dim(), at_.q, at_.k, at_.v);
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

ReorderedAttention::ReorderedAttention(const Site& site,
                                       const HeadMaps& maps,
                                       OrderedPattern ordered,
                                       const Resources& resources)
    : order_(std::move(ordered.order)),
      inner_(
          maps, std::move(ordered.pattern), static_cast<int>(order_.size()), resources),
      x_(num::zeros(static_cast<int>(order_.size()), site.width, resources.scratch)),
      o_(num::zeros(x_.rows, site.dim, resources.scratch)) {
  if (resources.backward) {
    dx_ = num::zeros(x_.rows, site.width, resources.scratch);
  }
}

bool ReorderedAttention::pays(const Pattern& pattern, bool causal) {
  // In the original order all tiles see something, or pairs are gathered one by one,
  // which takes about 6 times as long as a pair of a tile.
  constexpr int kTile = 64;
  const std::int64_t n = pattern.keys();
  const std::int64_t all = causal ? n * (n + kTile) / 2 : n * n;
  return block_pairs(pattern, kTile) < std::min(all, 6 * pattern.pairs());
}

void ReorderedAttention::put_in_order(ConstView from, View to) const {
  for (int p = 0; p < to.rows; ++p) {
    std::copy_n(from.row(order_[at(p)]), from.cols, to.row(p));
  }
}

void ReorderedAttention::put_back(ConstView from, View to) const {
  for (int p = 0; p < from.rows; ++p) {
    std::copy_n(from.row(p), from.cols, to.row(order_[at(p)]));
  }
}

void ReorderedAttention::forward(const parts::Weights& weights, ConstView x, View o) {
  put_in_order(x, x_);
  inner_.forward(weights, x_, o_);
  put_back(o_, o);
}

void ReorderedAttention::backward(const parts::Weights& weights,
                                  ConstView x,
                                  ConstView d_o,
                                  View dx,
                                  parts::Values& gradient) {
  put_in_order(x, x_);
  put_in_order(d_o, o_);
  inner_.backward(weights, x_, o_, dx_, gradient);
  put_back(dx_, dx);
}

std::vector<num::Matrix> ReorderedAttention::value_weights() const {
  std::vector<num::Matrix> all;
  for (const num::Matrix& ordered : inner_.value_weights()) {
    num::Matrix& weights = all.emplace_back(ordered.rows(), ordered.cols());
    for (int p = 0; p < ordered.rows(); ++p) {
      for (int k = 0; k < ordered.cols(); ++k) {
        weights(order_[at(p)], order_[at(k)]) = ordered(p, k);
      }
    }
  }
  return all;
}

MaskedDecoder::MaskedDecoder(const HeadMaps& maps,
                             OrderedPattern ordered,
                             int tokens,
                             const Resources& resources,
                             CacheNumbers numbers)
    : maps_(maps),
      pattern_(std::move(ordered.pattern)),
      place_(ordered.order.size()),
      cache_(maps_, pattern_.is_band() ? 1 : tokens, resources),
      scratch_(maps_.heads(), maps_.head_dim(), resources.scratch),
      threads_(resources.threads) {
  assert(numbers == CacheNumbers::Float || pattern_.is_band());
  for (int p = 0; p < std::ssize(place_); ++p) {
    place_[at(ordered.order[at(p)])] = p;
  }
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
  const int token = cache_.tokens();
  const int place = place_.empty() ? token : place_[at(token)];
  const int keys = band_ ? 1 : pattern_.keys();  // a band has a cache of its own
  cache_.append(maps_, weights, x, band_ ? 0 : place);
  const View mixed = cache_.token().mixed;
  const HeadsView heads = cache_.heads(maps_, keys);
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
    const auto runs = pattern_.runs(place);
    const auto seen = Pattern::of_runs(
        keys, {0, static_cast<std::int64_t>(runs.size())}, {runs.begin(), runs.end()});
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
  std::int64_t read = 0;  // rows of keys, by all tiles
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
