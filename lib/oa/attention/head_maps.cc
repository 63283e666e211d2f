#include "oa/attention/head_maps.h"

#include "oa/base/number.h"
#include "oa/num/rows.h"

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
                   parts::Layout& layout)
    : dim_(site.dim),
      heads_(options.heads),
      groups_(groups),
      learned_(site.learned_queries),
      query_(site, layout, style_of(options)),
      key_(layout,
           site.prefix + "Wk",
           site.width,
           groups * head_dim(),
           style_of(options)),
      value_(layout,
             site.prefix + "Wv",
             site.width,
             groups * head_dim(),
             style_of(options)) {
  if (options.output) {
    output_.emplace(layout,
                    site.prefix + "Wo",
                    dim_,
                    dim_,
                    options.plain ? parts::Bias::No : parts::Bias::Yes);
  }
}

float HeadMaps::scale() const {
  return 1.0F / std::sqrt(static_cast<float>(head_dim()));
}

parts::Cost HeadMaps::cost(int tokens) const {
  parts::Cost cost = query_.cost(tokens) + key_.cost(tokens) + value_.cost(tokens);
  if (output_) {
    cost += output_->cost(queries(tokens));
  }
  return cost;
}

HeadMaps::Workspace HeadMaps::workspace(int tokens, const Resources& resources) const {
  const int n = queries(tokens);
  const int width = groups_ * head_dim();
  Arena& kept = resources.kept;
  Workspace all;
  all.query = query_.workspace(tokens, kept);
  all.key = key_.workspace(tokens, kept);
  all.value = value_.workspace(tokens, kept);
  all.q = all.query.q;
  all.k = num::zeros(tokens, width, kept);
  all.v = num::zeros(tokens, width, kept);
  all.mixed = num::zeros(n, dim_, kept);
  if (resources.backward) {
    all.dq = num::zeros(n, dim_, resources.scratch);
    all.dk = num::zeros(tokens, width, resources.scratch);
    all.dv = num::zeros(tokens, width, resources.scratch);
    if (output_) {
      all.dmixed = num::zeros(n, dim_, resources.scratch);
    }
  }
  return all;
}

void HeadMaps::forward(const parts::Weights& weights,
                       ConstView x,
                       const Workspace& workspace) const {
  query_.forward(weights, x, workspace.query);
  key_.forward(weights, x, workspace.k, workspace.key);
  value_.forward(weights, x, workspace.v, workspace.value);
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
  output_->gradients(workspace.mixed, d_o, gradient);
  output_->input_gradient(weights, d_o, workspace.dmixed);
  return workspace.dmixed;
}

void HeadMaps::backward(const parts::Weights& weights,
                        ConstView x,
                        View dx,
                        parts::Values& gradient,
                        const Workspace& workspace) const {
  num::fill(dx, 0.0F);
  value_.backward(weights, x, workspace.dv, dx, gradient, workspace.value);
  key_.backward(weights, x, workspace.dk, dx, gradient, workspace.key);
  query_.backward(weights, x, workspace.dq, dx, gradient, workspace.query);
}

HeadsView heads_of(const HeadMaps& maps, const HeadMaps::Workspace& at) {
  return {.q = at.q,
          .k = at.k,
          .v = at.v,
          .heads = maps.heads(),
          .groups = maps.groups(),
          .scale = maps.scale()};
}

HeadsCache::HeadsCache(const HeadMaps& maps, int rows, const Resources& resources)
    : at_(maps.workspace(1,
                         {.kept = resources.scratch,
                          .scratch = resources.scratch,
                          .backward = false})),
      keys_(num::zeros(rows, at_.k.cols, resources.kept)),
      values_(num::zeros(rows, at_.v.cols, resources.kept)) {}

void HeadsCache::append(const HeadMaps& maps,
                        const parts::Weights& weights,
                        ConstView x) {
  maps.forward(weights, x, at_);
  const int place = step_ % keys_.rows;
  std::copy_n(at_.k.row(0), at_.k.cols, keys_.row(place));
  std::copy_n(at_.v.row(0), at_.v.cols, values_.row(place));
  ++step_;
}

HeadsView HeadsCache::heads(const HeadMaps& maps, int rows) const {
  HeadsView all = heads_of(maps, at_);
  all.k = keys_.top(rows);
  all.v = values_.top(rows);
  return all;
}

}  // namespace oa::attention
