#pragma once

#include "survey/kernel/pattern/pattern.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

// The fixed patterns of sparse attention over n tokens.
// i is a query, j a key; a causal pattern keeps the pairs with j <= i.
// A window of radius w < n has W(n,w) = n(2w+1) - w(w+1) pairs.  Pair by pair,
// a head with d columns costs 4 d pairs() FLOPs and pairs() exponentials.  In blocks,
// all block_pairs() pairs of the blocks that the pattern touches are computed.

/// The bytes of a pattern with at most `runs` runs a query, unless it is a band.
[[nodiscard]] constexpr std::int64_t pattern_bytes(std::int64_t n, std::int64_t runs) {
  return n * (runs * std::int64_t{sizeof(Run)} + std::int64_t{sizeof(std::int64_t)});
}

/// |i-j| <= radius: W(n,radius) pairs; causal n(w+1) - w(w+1)/2 with w = radius.
[[nodiscard]] Pattern window_pattern(int n, int radius, bool causal);

/// (i-j) mod stride = 0, or |i-j| <= radius.
/// With radius 0, tokens with equal i mod stride form `stride` separate classes.
[[nodiscard]] Pattern strided_pattern(int n, int stride, int radius, bool causal);

/// |i-j| <= radius * dilation and (i-j) mod dilation = 0.  Each class r = i mod
/// dilation has c = ceil((n-r)/dilation) tokens and W(c,radius) pairs.
[[nodiscard]] Pattern dilated_pattern(int n, int radius, int dilation, bool causal);

/// A window, and g = `globals` first tokens that see, and are seen by, all tokens.
/// 2gn - g^2 + W(n-g,radius) pairs if n-g > 2 radius.
[[nodiscard]] Pattern longformer_pattern(int n, int radius, int globals, bool causal);

/// The query's block of `block` tokens, and the last `summary` tokens of every block.
/// About n (block + summary n / block) pairs, fewest at block = sqrt(summary n).
[[nodiscard]] Pattern sparse_fixed_pattern(int n, int block, int summary, bool causal);

/// |i-j| <= block, or (i-j) mod block = 0: the strided pattern of the same paper.
[[nodiscard]] Pattern sparse_strided_pattern(int n, int block, bool causal);

struct BigBird {
  int radius = 3;   ///< of the window
  int globals = 4;  ///< first tokens, which see all and are seen by all
  int random = 4;   ///< other keys of each token that is not global
  int block = 1;    ///< tokens of a block; radius, globals and random count blocks
  std::uint64_t seed = 1;
};

/// A window of radius w, g global tokens, and random keys.  Random keys are drawn from
/// the keys that the query does not see yet (before the query, if causal).
/// If n-g > 2 w + random: 2gn - g^2 + W(n-g,w) + (n-g) random pairs.
///
/// If block > 1, draws the pattern for the ceil(n/block) blocks of tokens;
/// a pair of blocks means all its pairs of tokens.
/// Single random keys would touch most blocks of the matrix and save little work.
[[nodiscard]] Pattern bigbird_pattern(int n, const BigBird& shape, bool causal);

struct BlockSparse {
  int block = 64;
  int band = 0;          ///< blocks on each side of the diagonal
  double density = 0.0;  ///< share of the other blocks of each row, rounded to a count
  std::uint64_t seed = 1;
};

/// A band of blocks around the diagonal, and random blocks outside the band.
[[nodiscard]] Pattern block_sparse_pattern(int n,
                                           const BlockSparse& shape,
                                           bool causal);

/// A pattern for reordered tokens, in which tokens with the same keys are neighbours.
/// Where the original order has many blocks with few pairs, this order has full blocks.
struct OrderedPattern {
  Pattern pattern;  ///< of positions
  std::vector<int> order =
      {};  ///< the token at each position; empty: the original order
};

/// strided_pattern() with tokens sorted by i mod stride.  A query sees one run,
/// and a few tokens of its window in other classes: at most 2 radius + 1 runs.
[[nodiscard]] OrderedPattern strided_by_class(int n,
                                              int stride,
                                              int radius,
                                              bool causal);

/// sparse_fixed_pattern() with the tokens that all queries see first.
/// A query sees these first tokens and one more run.
[[nodiscard]] OrderedPattern sparse_fixed_by_class(int n,
                                                   int block,
                                                   int summary,
                                                   bool causal);

/// Expands a pattern of the ceil(n/block) blocks of tokens to tokens.
[[nodiscard]] Pattern in_blocks(const Pattern& blocks, int n, int block, bool causal);

/// Query q sees the blocks of keys whose entry in row floor(q/block) of `allowed` is
/// not 0.  `allowed` has ceil(n/block) rows and columns.
[[nodiscard]] Pattern blocks_pattern(int n,
                                     int block,
                                     std::span<const std::uint8_t> allowed,
                                     bool causal);

/// The transposed pattern: "query" j sees the queries that see key j.
[[nodiscard]] Pattern transposed(const Pattern& pattern);

/// Counts the pairs in all blocks of `block` queries and keys that contain a pair of
/// the pattern.  Blocks at the ends have fewer pairs.
[[nodiscard]] std::int64_t block_pairs(const Pattern& pattern, int block);

}  // namespace oa::attention
