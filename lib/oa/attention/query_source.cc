#include "oa/attention/query_source.h"

#include "oa/num/rows.h"

namespace oa::model {

QuerySource::QuerySource(const Site& site, Layout& layout)
    : q_(site.config.query_count(), site.config.dim) {
  if (site.config.queries > 0) {
    // As large as what a layer normalisation would give.
    learned_ = layout.add(
        site.prefix + "queries", {q_.rows(), site.config.dim}, gaussian(1.0));
  } else {
    map_.emplace(layout, site.prefix + "Wq", q_.rows(), site.width, site.config.dim);
  }
}

void QuerySource::forward(const Weights& weights, num::ConstView x) {
  if (map_) {
    map_->forward(weights, x, q_);
  } else {
    num::copy(weights.values().matrix(learned_), q_);
  }
}

void QuerySource::backward(const Weights& weights,
                           num::ConstView x,
                           num::View dq,
                           num::View dx,
                           Values& gradient) {
  if (map_) {
    map_->backward(weights, x, dq, dx, gradient);
  } else {
    num::add(dq, gradient.matrix(learned_));
  }
}

}  // namespace oa::model
