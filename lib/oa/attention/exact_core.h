#pragma once

#include "oa/attention/count.h"
#include "oa/attention/kernel/fused/flash1.h"
#include "oa/attention/kernel/fused/fused.h"
#include "oa/attention/kernel/heads.h"
#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/attention/kernel/sparse/csr.h"
#include "oa/attention/resources.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::attention {

/// What is outside: tiles of queries, as FlashAttention 2 has it, or blocks of keys, as
/// the first FlashAttention.
enum class LoopOrder : std::uint8_t { Queries, Keys };

struct ExactSettings {
  LoopOrder order = LoopOrder::Queries;
  std::size_t scratch =
      0;          ///< bytes that the forward pass may take, if that can be; or 0
  int block = 0;  ///< instead: queries and keys of its blocks, as square_plan(); or 0
  /// Of a forward pass without a way back, in tiles of queries and without a limit on
  /// bytes; others are in Float.
  Precision precision = Precision::Float;
};

/// The blocks of fused attention, queries and keys at most, and the bytes that they
/// take for one thread.
[[nodiscard]] std::vector<Count> counts_of(const FusedScratch& scratch,
                                           const Pattern& pattern);

/// The weights that such attention gives to keys, (queries,keys) for each head: to look
/// at them, not to compute with.  0 where the pattern allows nothing.
[[nodiscard]] std::vector<num::Matrix> softmax_weights(const HeadsView& heads,
                                                       const Pattern& pattern);

/// Exact softmax attention of heads over the keys that a pattern allows, without maps:
/// the core of most kinds.  The fused kernel does it in tiles, so that no weights are
/// in memory, or for few keys far apart csr_forward() pair by pair.  Kept for the way
/// back is a logarithm for each query and head.
class ExactCore {
 public:
  ExactCore(const HeadsShape& shape,
            Pattern pattern,
            const Resources& resources,
            const ExactSettings& settings = {});

  [[nodiscard]] const Pattern& pattern() const { return pattern_; }
  /// None where pairs are gathered one by one.
  [[nodiscard]] std::vector<Count> counts() const;

  void forward(const HeadsView& heads, num::View o) const;
  /// Overwrites `gradient`; o is what forward() yielded.
  void backward(const HeadsView& heads,
                num::ConstView o,
                num::ConstView d_o,
                const HeadsGradient& gradient) const;

 private:
  Pattern pattern_;
  int threads_;
  std::optional<FusedScratch> tiles_;
  std::optional<Flash1Scratch> keys_outside_;  // instead of those
  std::optional<GradientScratch> gradient_;
  std::optional<CsrScratch> gathered_;  // instead of both
  num::View log_sums_;
};

}  // namespace oa::attention
