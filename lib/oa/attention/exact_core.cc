#include "oa/attention/exact_core.h"

#include <utility>

namespace oa::attention {

ExactCore::ExactCore(const HeadsShape& shape,
                     Pattern pattern,
                     const Resources& resources)
    : pattern_(std::move(pattern)),
      threads_(resources.threads),
      scratch_(shape, plan_fused(shape), threads_, resources.scratch) {
  if (resources.backward) {
    log_sums_ = num::zeros(shape.heads, shape.queries, resources.kept);
    gathered_ = csr_scratch(pattern_, threads_, resources.scratch);
  }
}

void ExactCore::forward(const HeadsView& heads, num::View o) const {
  fused_forward(heads, pattern_, o, log_sums_, scratch_);
}

void ExactCore::backward(const HeadsView& heads,
                         num::ConstView /*o*/,
                         num::ConstView d_o,
                         const HeadsGradient& gradient) const {
  csr_backward(heads, pattern_, log_sums_, d_o, gradient, *gathered_, threads_);
}

}  // namespace oa::attention
