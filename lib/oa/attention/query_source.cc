#include "oa/attention/query_source.h"

#include "oa/num/rows.h"

namespace oa::attention {

QuerySource::QuerySource(const Site& site, parts::Layout& layout, parts::MapStyle style)
    : dim_(site.dim),
      learned_(site.learned_queries),
      asking_(site.asking) {
  if (learned_ > 0) {
    // The scale of layer normalisation.
    tensor_ =
        layout.declare(site.prefix + "queries", {learned_, dim_}, parts::gaussian(1.0));
  } else {
    map_.emplace(layout, site.prefix + "Wq", site.seen_by_keys(), dim_, style);
  }
}

parts::Cost QuerySource::cost(int tokens) const {
  parts::Cost cost;
  if (map_) {
    cost = map_->cost(rows(tokens));
  } else {
    cost.parameters = std::int64_t{1} * learned_ * dim_;
  }
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(tokens, arena); });
  return cost;
}

QuerySource::Workspace QuerySource::workspace(int tokens, Arena& arena) const {
  Workspace all{.q = num::zeros(rows(tokens), dim_, arena), .map = {}};
  if (map_) {
    all.map = map_->workspace(all.q.rows, arena);
  }
  return all;
}

void QuerySource::forward(const parts::Weights& weights,
                          num::ConstView x,
                          const Workspace& workspace) const {
  if (map_) {
    map_->forward(weights, asking(x), workspace.q, workspace.map);
  } else {
    num::copy(weights.values().matrix(tensor_), workspace.q);
  }
}

void QuerySource::backward(const parts::Weights& weights,
                           num::ConstView x,
                           num::View dq,
                           num::View dx,
                           parts::Values& gradient,
                           const Workspace& workspace) const {
  if (map_) {
    map_->backward(weights, asking(x), dq, asking(dx), gradient, workspace.map);
  } else {
    num::add(dq, gradient.matrix(tensor_));
  }
}

}  // namespace oa::attention
