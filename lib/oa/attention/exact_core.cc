#include "oa/attention/exact_core.h"

#include "oa/attention/kernel/patterns.h"

#include <utility>

namespace oa::attention {
namespace {

/// Whether so few keys are seen, and so far apart, that tiles would be nearly empty.
bool is_scattered(const Pattern& pattern) {
  constexpr int kTile = 16;
  const auto all = std::int64_t{1} * pattern.queries() * pattern.keys();
  return !pattern.is_band() && pattern.pairs() * 50 < all &&
         block_pairs(pattern, kTile) > pattern.pairs() * 8;
}

}  // namespace

ExactCore::ExactCore(const HeadsShape& shape,
                     Pattern pattern,
                     const Resources& resources,
                     const ExactSettings& settings)
    : pattern_(std::move(pattern)),
      threads_(resources.threads) {
  Arena& scratch = resources.scratch;
  if (is_scattered(pattern_)) {
    gathered_ = csr_scratch(pattern_, threads_, scratch);
  } else {
    const FusedPlan plan = plan_fused(shape, settings.scratch);
    if (settings.order == LoopOrder::Keys) {
      keys_outside_.emplace(shape, plan, threads_, scratch);
    } else {
      tiles_.emplace(shape, plan, threads_, scratch);
    }
    if (resources.backward) {
      gradient_.emplace(shape, threads_, scratch);
    }
  }
  if (resources.backward) {
    log_sums_ = num::zeros(shape.heads, shape.queries, resources.kept);
  }
}

void ExactCore::forward(const HeadsView& heads, num::View o) const {
  if (gathered_) {
    csr_forward(heads, pattern_, o, log_sums_, *gathered_, threads_);
  } else if (keys_outside_) {
    flash1_forward(heads, pattern_, o, log_sums_, *keys_outside_);
  } else {
    fused_forward(heads, pattern_, o, log_sums_, *tiles_);
  }
}

void ExactCore::backward(const HeadsView& heads,
                         num::ConstView o,
                         num::ConstView d_o,
                         const HeadsGradient& to) const {
  if (gathered_) {
    csr_backward(heads, pattern_, log_sums_, d_o, to, *gathered_, threads_);
  } else {
    fused_backward(heads, pattern_, o, log_sums_, d_o, to.q, to.k, to.v, *gradient_);
  }
}

}  // namespace oa::attention
