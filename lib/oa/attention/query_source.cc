#include "oa/attention/query_source.h"

#include "oa/num/rows.h"

namespace oa::attention {

QuerySource::QuerySource(const Site& site, parts::Layout& layout)
    : q_(site.queries, site.dim) {
  if (site.learned_queries) {
    // As large as what a layer normalisation would give.
    learned_ = layout.add(
        site.prefix + "queries", {q_.rows(), site.dim}, parts::gaussian(1.0));
  } else {
    map_.emplace(layout, site.prefix + "Wq", q_.rows(), site.width, site.dim);
  }
}

void QuerySource::forward(const parts::Weights& weights, num::ConstView x) {
  if (map_) {
    map_->forward(weights, x, q_);
  } else {
    num::copy(weights.values().matrix(learned_), q_);
  }
}

void QuerySource::backward(const parts::Weights& weights,
                           num::ConstView x,
                           num::View dq,
                           num::View dx,
                           parts::Values& gradient) {
  if (map_) {
    map_->backward(weights, x, dq, dx, gradient);
  } else {
    num::add(dq, gradient.matrix(learned_));
  }
}

}  // namespace oa::attention
