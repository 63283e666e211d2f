#include "oa/attention/head_maps.h"

#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

parts::MapStyle style_of(const HeadOptions& options) {
  return options.plain ? parts::MapStyle::Plain : parts::MapStyle::Normalized;
}

}  // namespace

std::string refusal_of_heads(int dim, int heads, int groups) {
  if (dim % heads != 0) {
    return "heads=" + format(heads) + " do not divide a width of " + format(dim);
  }
  if (heads % groups != 0) {
    return "groups=" + format(groups) + " do not divide heads=" + format(heads);
  }
  return {};
}

HeadMaps::HeadMaps(const Site& site,
                   const HeadOptions& options,
                   int groups,
                   parts::Layout& layout,
                   const MapSettings& settings)
    : dim_(site.dim),
      heads_(options.heads),
      groups_(groups),
      learned_(site.learned_queries),
      asking_(site.asking),
      narrow_(site.key_width),
      source_(settings.source),
      scale_(settings.scale),
      query_(source_ == KeySource::Shared
                 ? std::nullopt
                 : std::optional(QuerySource(site, layout, style_of(options)))),
      key_(source_ == KeySource::Own
               ? std::nullopt
               : std::optional(parts::Projection(
                     layout,
                     site.prefix + (source_ == KeySource::Shared ? "Wqk" : "Wk"),
                     site.seen_by_keys(),
                     groups * head_dim(),
                     style_of(options),
                     settings.stretch > 0.0 ? parts::orthogonal(settings.stretch)
                                            : parts::for_inputs(site.seen_by_keys())))),
      value_(layout,
             site.prefix + "Wv",
             site.width,
             groups * head_dim(),
             style_of(options)) {
  assert(source_ == KeySource::Separate || groups == heads_);
  assert(source_ != KeySource::Shared || learned_ == 0);
  if (options.output) {
    output_.emplace(layout,
                    site.prefix + "Wo",
                    dim_,
                    dim_,
                    options.plain ? parts::Bias::No : settings.output_bias);
  }
}

float HeadMaps::scale() const {
  return static_cast<float>(scale_) / std::sqrt(static_cast<float>(head_dim()));
}

parts::Cost HeadMaps::cost(int tokens) const {
  const int keys = tokens - asking_;
  parts::Cost cost;
  if (query_) {
    cost += query_->cost(tokens);
  }
  if (key_) {
    cost += key_->cost(source_ == KeySource::Shared ? tokens : keys);
  }
  cost += value_.cost(keys);
  if (output_) {
    cost += output_->cost(queries(tokens));
  }
  return cost;
}

HeadMaps::Workspace HeadMaps::workspace(int tokens, const Resources& resources) const {
  const int n = queries(tokens);
  const int m = tokens - asking_;
  const int width = groups_ * head_dim();
  Arena& kept = resources.kept;
  Arena& scratch = resources.scratch;
  const bool shared = source_ == KeySource::Shared;
  Workspace all;
  if (narrow_ > 0) {
    all.narrow = num::zeros(tokens, narrow_, kept);
  }
  if (query_) {
    all.query = query_->workspace(tokens, kept);
    all.q = all.query.q;
  }
  if (key_) {
    all.key = key_->workspace(shared ? tokens : m, kept);
  }
  all.value = value_.workspace(m, kept);
  if (shared) {
    all.both = num::zeros(tokens, width, kept);
    all.q = row_block(all.both, tokens - n, n);
  }
  all.k = shared ? all.both.top(m) : num::zeros(m, width, kept);
  all.v = source_ == KeySource::Own ? all.k : num::zeros(m, width, kept);
  all.mixed = num::zeros(n, dim_, kept);
  if (!resources.backward) {
    return all;
  }
  if (narrow_ > 0) {
    all.dnarrow = num::zeros(tokens, narrow_, scratch);
  }
  if (shared) {
    all.dboth = num::zeros(tokens, width, scratch);
  }
  // Shared keys of tokens with queries get two gradients, which are added.
  all.dq =
      shared && asking_ > 0 ? row_block(all.dboth, m, n) : num::zeros(n, dim_, scratch);
  all.dk = shared ? all.dboth.top(m) : num::zeros(m, width, scratch);
  all.dv = num::zeros(m, width, scratch);
  if (output_) {
    all.dmixed = num::zeros(n, dim_, scratch);
  }
  return all;
}

void HeadMaps::map_keys(const parts::Weights& weights,
                        ConstView seen,
                        const Workspace& workspace) const {
  if (query_) {
    query_->forward(weights, seen, workspace.query);
  }
  if (source_ == KeySource::Shared) {
    key_->forward(weights, seen, workspace.both, workspace.key);
  } else if (key_) {
    key_->forward(weights, answering(seen), workspace.k, workspace.key);
  }
}

void HeadMaps::map_keys_backward(const parts::Weights& weights,
                                 ConstView seen,
                                 View dseen,
                                 parts::Values& gradient,
                                 const Workspace& workspace) const {
  if (source_ == KeySource::Shared) {
    if (asking_ == 0) {
      num::add(workspace.dq, workspace.dboth);
    }
    key_->backward(weights, seen, workspace.dboth, dseen, gradient, workspace.key);
  } else if (key_) {
    key_->backward(weights,
                   answering(seen),
                   workspace.dk,
                   answering(dseen),
                   gradient,
                   workspace.key);
  }
  if (query_) {
    query_->backward(weights, seen, workspace.dq, dseen, gradient, workspace.query);
  }
}

void HeadMaps::forward(const parts::Weights& weights,
                       ConstView x,
                       const Workspace& workspace) const {
  if (narrow_ > 0) {
    copy_rows(columns(x, 0, narrow_), workspace.narrow);
  }
  map_keys(weights, narrow_ > 0 ? ConstView(workspace.narrow) : x, workspace);
  value_.forward(weights, answering(x), workspace.v, workspace.value);
}

void HeadMaps::finish(const parts::Weights& weights,
                      View o,
                      const Workspace& workspace) const {
  if (output_) {
    output_->forward(weights, workspace.mixed, o);
  } else {
    num::copy(workspace.mixed, o);
  }
}

ConstView HeadMaps::begin_backward(const parts::Weights& weights,
                                   ConstView d_o,
                                   parts::Values& gradient,
                                   const Workspace& workspace) const {
  if (!output_) {
    return d_o;
  }
  output_->backward(weights, workspace.mixed, d_o, workspace.dmixed, gradient);
  return workspace.dmixed;
}

void HeadMaps::backward(const parts::Weights& weights,
                        ConstView x,
                        View dx,
                        parts::Values& gradient,
                        const Workspace& workspace) const {
  num::fill(dx, 0.0F);
  if (source_ == KeySource::Own) {
    num::add(workspace.dk, workspace.dv);
  }
  value_.backward(
      weights, answering(x), workspace.dv, answering(dx), gradient, workspace.value);
  if (narrow_ == 0) {
    map_keys_backward(weights, x, dx, gradient, workspace);
    return;
  }
  num::fill(workspace.dnarrow, 0.0F);
  map_keys_backward(weights, workspace.narrow, workspace.dnarrow, gradient, workspace);
  for (int i = 0; i < dx.rows; ++i) {
    for (int c = 0; c < narrow_; ++c) {
      dx(i, c) += workspace.dnarrow(i, c);
    }
  }
}

KeySource source_of(HeadKeys keys) {
  return keys == HeadKeys::Shared ? KeySource::Shared : KeySource::Separate;
}

std::string refusal_of_keys(const Site& site, HeadKeys keys) {
  return keys == HeadKeys::Shared && site.learned_queries > 0
             ? "keys=shared needs queries of tokens, not learned ones"
             : "";
}

HeadsView heads_of(const HeadMaps& maps, const HeadMaps::Workspace& at) {
  return {.q = at.q,
          .k = at.k,
          .v = at.v,
          .heads = maps.heads(),
          .groups = maps.groups(),
          .scale = maps.scale()};
}

HeadsCache::HeadsCache(const HeadMaps& maps,
                       int rows,
                       const Resources& resources,
                       Keys keys)
    : at_(maps.workspace_of_token(resources)),
      transposed_(keys == Keys::Columns),
      keys_(transposed_ ? num::zeros(at_.k.cols, rows, resources.kept)
                        : num::zeros(rows, at_.k.cols, resources.kept)),
      values_(num::zeros(rows, at_.v.cols, resources.kept)) {}

void HeadsCache::append(const HeadMaps& maps,
                        const parts::Weights& weights,
                        ConstView x,
                        int row) {
  assert(row < values_.rows);
  maps.forward(weights, x, at_);
  if (transposed_) {
    for (int c = 0; c < at_.k.cols; ++c) {
      keys_(c, row) = at_.k(0, c);
    }
  } else {
    copy_rows(at_.k, row_block(keys_, row, 1));
  }
  copy_rows(at_.v, row_block(values_, row, 1));
  ++step_;
}

HeadsView HeadsCache::heads(const HeadMaps& maps, int rows) const {
  HeadsView all = heads_of(maps, at_);
  all.k = transposed_ ? num::View{} : keys_.top(rows);
  all.v = values_.top(rows);
  return all;
}

}  // namespace oa::attention
