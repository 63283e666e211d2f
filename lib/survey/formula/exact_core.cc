#include "survey/formula/exact_core.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace oa::attention {
namespace {

/// True if the visible keys are so scattered that tiles would be mostly masked.
/// A gathered pair takes 4 to 10 times as long as a pair of a full tile.
bool is_scattered(const Pattern& pattern) {
  if (pattern.is_band()) {
    return false;
  }
  std::int64_t runs = 0;
  for (int q = 0; q < pattern.queries(); ++q) {
    runs += std::ssize(pattern.runs(q));
  }
  const std::int64_t pairs = pattern.pairs();
  const auto all = std::int64_t{1} * pattern.queries() * pattern.keys();
  return pairs < 4 * runs && pairs < all / 5;
}

/// Computes the weights of query i.
void weigh(const HeadsView& heads,
           const Pattern& pattern,
           int head,
           int i,
           std::span<float> row) {
  const int width = heads.width();
  const num::ConstView q = columns(heads.q, head * width, width);
  const num::ConstView k =
      columns(heads.k, head / heads.heads_per_group() * width, width);
  const auto logit = [&](int j) {
    return double{heads.scale} *
           std::inner_product(q.row(i), q.row(i) + width, k.row(j), 0.0);
  };
  double largest = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < k.rows; ++j) {
    largest = pattern.allows(i, j) ? std::max(largest, logit(j)) : largest;
  }
  double sum = 0.0;
  for (int j = 0; j < k.rows; ++j) {
    if (pattern.allows(i, j)) {
      const double weight = std::exp(logit(j) - largest);
      row[static_cast<std::size_t>(j)] = static_cast<float>(weight);
      sum += weight;
    }
  }
  for (float& weight : row) {
    weight = sum > 0.0 ? static_cast<float>(double{weight} / sum) : 0.0F;
  }
}

}  // namespace

std::vector<num::Matrix> softmax_weights(const HeadsView& heads,
                                         const Pattern& pattern) {
  std::vector<num::Matrix> all;
  for (int head = 0; head < heads.heads; ++head) {
    num::Matrix& weights = all.emplace_back(heads.q.rows, heads.k.rows);
    for (int i = 0; i < weights.rows(); ++i) {
      weigh(heads, pattern, head, i, first_of_row(weights, i, weights.cols()));
    }
  }
  return all;
}

std::vector<Count> counts_of(const FusedScratch& scratch, const Pattern& pattern) {
  return {{"block_queries", tile_rows(scratch.plan().rows, pattern)},
          {"block_keys", scratch.plan().keys},
          {"scratch_bytes", static_cast<std::int64_t>(scratch.bytes_of_thread())}};
}

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
    const FusedPlan plan = settings.block > 0 ? square_plan(settings.block)
                                              : plan_fused(shape, settings.scratch);
    tiles_.emplace(shape, plan, threads_, scratch);
    if (settings.order == LoopOrder::Keys) {
      sums_ = flash1_sums(shape, scratch);
    }
    if (resources.backward) {
      gradient_.emplace(shape, threads_, scratch);
    }
  }
  if (resources.backward) {
    log_sums_ = num::zeros(shape.heads, shape.queries, resources.kept);
  }
}

std::vector<Count> ExactCore::counts() const {
  return gathered_ ? std::vector<Count>{} : counts_of(*tiles_, pattern_);
}

void ExactCore::forward(const HeadsView& heads, num::View o) const {
  if (gathered_) {
    csr_forward(heads, pattern_, o, log_sums_, *gathered_, threads_);
  } else if (!sums_.empty()) {
    flash1_forward(heads, pattern_, o, log_sums_, *tiles_, sums_);
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
