#include "oa/attention/query_source.h"

#include "oa/num/rows.h"

namespace oa::attention {

QuerySource::QuerySource(const Site& site, parts::Layout& layout)
    : queries_(site.queries),
      dim_(site.dim) {
  if (site.learned_queries) {
    // As large as what a layer normalisation would give.
    learned_ =
        layout.declare(site.prefix + "queries", {queries_, dim_}, parts::gaussian(1.0));
  } else {
    map_.emplace(layout, site.prefix + "Wq", site.width, dim_);
  }
}

parts::Cost QuerySource::cost() const {
  parts::Cost cost;
  if (map_) {
    cost = map_->cost(queries_);
  } else {
    cost.parameters = std::int64_t{1} * queries_ * dim_;
  }
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(arena); });
  return cost;
}

QuerySource::Workspace QuerySource::workspace(Arena& arena) const {
  Workspace all{.q = num::zeros(queries_, dim_, arena), .map = {}};
  if (map_) {
    all.map = map_->workspace(queries_, arena);
  }
  return all;
}

void QuerySource::forward(const parts::Weights& weights,
                          num::ConstView x,
                          const Workspace& workspace) const {
  if (map_) {
    map_->forward(weights, x, workspace.q, workspace.map);
  } else {
    num::copy(weights.values().matrix(learned_), workspace.q);
  }
}

void QuerySource::backward(const parts::Weights& weights,
                           num::ConstView x,
                           num::View dq,
                           num::View dx,
                           parts::Values& gradient,
                           const Workspace& workspace) const {
  if (map_) {
    map_->backward(weights, x, dq, dx, gradient, workspace.map);
  } else {
    num::add(dq, gradient.matrix(learned_));
  }
}

}  // namespace oa::attention
