#pragma once

#include "oa/attention/formula/heads.h"
#include "oa/attention/kernel/decode.h"
#include "survey/formula/exact_core.h"
#include "survey/formula/key_cache.h"
#include "survey/kernel/pattern/patterns.h"
#include "survey/kernel/sparse/csr.h"

#include <optional>
#include <vector>

namespace oa::attention {

/// Exact softmax attention over the keys that a pattern allows.
struct FusedSettings {
  ExactSettings core{};
  CacheNumbers cache = CacheNumbers::Float;  ///< of a decoder whose pattern is a band
  /// A learned factor of the logits, (1,1).
  std::optional<Value> factor{};
};
/// The runs of each query: begin, end, begin, end, ...
[[nodiscard]] Setting table_of(std::string_view name, const Pattern& pattern);
/// Rows of x are in the order of the pattern; a decoder's tokens come in time.
[[nodiscard]] Value fused_softmax(const Heads& heads,
                                  OrderedPattern pattern,
                                  const FusedSettings& settings = {});

/// Moves row order[p] of x to row p; from_positions() moves back.
/// In a decoder, x has one row.
[[nodiscard]] Value in_positions(Value x, const std::vector<int>& order);
[[nodiscard]] Value from_positions(Value x, const std::vector<int>& order);

/// Softmax over a pattern, token by token.
/// A cache holds all earlier keys and values, or only those within a window.
class CachedSoftmax {
 public:
  CachedSoftmax(const Heads& heads,
                OrderedPattern ordered,
                const Arenas& arenas,
                CacheNumbers numbers = CacheNumbers::Float);

  /// Replaces the pattern; the new one must not be a band.
  void use(Pattern pattern) { pattern_ = std::move(pattern); }
  void step(int token, const HeadsView& heads, num::View mixed);

 private:
  Pattern pattern_;
  int threads_;
  std::vector<int> place_;  // each token's place in the pattern; empty: original order
  KeyCache cache_;          // if the pattern is no band
  std::optional<DecodeCache> band_;  // if the pattern is a band
  std::optional<DecodeScratch> scratch_;
  std::optional<CsrScratch> list_;  // if the pattern is no band
};

/// The cost of softmax over a pattern without maps. z pairs, H heads and width D cost
/// 4zD FLOPs and Hz exponentials; backward, which recomputes weights, costs 10zD FLOPs.
/// Each tile of queries reads all keys and values that it sees.
[[nodiscard]] parts::Cost softmax_cost(const Heads& heads, const Pattern& pattern);

/// The pattern of all tokens, or, if causal, of all earlier tokens.
/// A decoder gets the pattern of its whole sequence.
[[nodiscard]] Pattern full_pattern(const Formula& f);

}  // namespace oa::attention
