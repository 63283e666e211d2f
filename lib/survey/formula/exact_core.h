#pragma once

#include "oa/attention/count.h"
#include "oa/attention/kernel/heads.h"
#include "oa/attention/resources.h"
#include "survey/kernel/fused/flash1.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kernel/pattern/pattern.h"
#include "survey/kernel/precision.h"
#include "survey/kernel/sparse/csr.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::attention {

/// The outer loop:
/// tiles of queries (FlashAttention 2), or blocks of keys (the first FlashAttention).
enum class LoopOrder : std::uint8_t { Queries, Keys };

struct ExactSettings {
  LoopOrder order = LoopOrder::Queries;
  std::size_t scratch = 0;  ///< limit in bytes for the forward pass; 0: no limit
  int block = 0;  ///< queries and keys per block, see square_plan(); 0: chosen
  /// The precision of heads in a forward pass that no backward pass follows.
  Precision precision = Precision::Float;
};

/// Counts the queries and keys of the largest block of fused attention,
/// and the bytes of scratch memory for one thread.
[[nodiscard]] std::vector<Count> counts_of(const FusedScratch& scratch,
                                           const Pattern& pattern);

/// Returns the weights of softmax attention (queries,keys) for each head;
/// 0 for keys outside the pattern.  Slow: only for inspection.
[[nodiscard]] std::vector<num::Matrix> softmax_weights(const HeadsView& heads,
                                                       const Pattern& pattern);

/// Exact softmax attention of heads over a pattern's keys, without maps;
/// most kinds are built on it.  The fused kernel works in tiles and stores no weights;
/// if a query sees few, scattered keys, csr_forward() works pair by pair.
/// Backward needs a stored logarithm for each query and head.
class ExactCore {
 public:
  ExactCore(const HeadsShape& shape,
            Pattern pattern,
            const Resources& resources,
            const ExactSettings& settings = {});

  [[nodiscard]] const Pattern& pattern() const { return pattern_; }
  /// The counts; empty for csr_forward().
  [[nodiscard]] std::vector<Count> counts() const;

  void forward(const HeadsView& heads, num::View o) const;
  /// Overwrites `gradient`; o is the output of forward().
  void backward(const HeadsView& heads,
                num::ConstView o,
                num::ConstView d_o,
                const HeadsGradient& gradient) const;

 private:
  Pattern pattern_;
  int threads_;
  std::optional<FusedScratch> tiles_;
  std::span<RowSum> sums_;  // of flash1_forward()
  std::optional<GradientScratch> gradient_;
  std::optional<CsrScratch> gathered_;  // instead of tiles_
  num::View log_sums_;
};

}  // namespace oa::attention
