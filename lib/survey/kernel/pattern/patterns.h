#pragma once

#include "survey/kernel/pattern/pattern.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

// The fixed patterns of sparse attention over n tokens.  i is a query, j a key; a
// causal pattern keeps the pairs with j <= i.  W(n,w) = n(2w+1) - w(w+1) is the number
// of pairs of a window, for w < n.  Pair by pair, attention costs 4 d pairs() FLOPs and
// pairs() exponentials in each head; in blocks it costs that of all pairs of the blocks
// that it touches, block_pairs().

/// The bytes of a pattern that is no band, with at most `runs` runs a query.
[[nodiscard]] constexpr std::int64_t pattern_bytes(std::int64_t n, std::int64_t runs) {
  return n * (runs * std::int64_t{sizeof(Run)} + std::int64_t{sizeof(std::int64_t)});
}

/// |i-j| <= radius: W(n,radius) pairs; causal n(w+1) - w(w+1)/2.  Takes no memory.
[[nodiscard]] Pattern window_pattern(int n, int radius, bool causal);

/// (i-j) mod stride = 0, or |i-j| <= radius.  With radius 0 the tokens are `stride`
/// separate classes.
[[nodiscard]] Pattern strided_pattern(int n, int stride, int radius, bool causal);

/// |i-j| <= radius * dilation and (i-j) mod dilation = 0: the sum of W(c,radius) over
/// separate classes of c = ceil((n-r)/dilation) tokens.
[[nodiscard]] Pattern dilated_pattern(int n, int radius, int dilation, bool causal);

/// A window, and first `globals` tokens that see all and are seen by all: 2gn - g^2 +
/// W(n-g,radius) pairs if n-g > 2 radius.
[[nodiscard]] Pattern longformer_pattern(int n, int radius, int globals, bool causal);

/// The query's own block of `block` tokens, and the last `summary` tokens of every
/// block: about n (block + summary n / block) pairs, least at block = sqrt(summary n).
[[nodiscard]] Pattern sparse_fixed_pattern(int n, int block, int summary, bool causal);

/// |i-j| <= block, or (i-j) mod block = 0: the strided form of the same paper.
[[nodiscard]] Pattern sparse_strided_pattern(int n, int block, bool causal);

struct BigBird {
  int radius = 3;   ///< of the window
  int globals = 4;  ///< first tokens, which see all and are seen by all
  int random = 4;   ///< other keys of each token that is not global
  int block = 1;    ///< tokens of a block; radius, globals and random count blocks
  std::uint64_t seed = 1;
};

/// Window, global tokens and random keys; the latter are drawn from the keys that the
/// query does not see yet (before it, if causal), all of them if there are fewer.  With
/// n-g > 2 radius + random: 2gn - g^2 + W(n-g,w) + (n-g) random pairs.
///
/// With block > 1 the pattern is drawn for the ceil(n/block) blocks of tokens, and a
/// pair of blocks is all its pairs of tokens.  Single random keys would touch most
/// blocks of the matrix and save little work.
[[nodiscard]] Pattern bigbird_pattern(int n, const BigBird& shape, bool causal);

struct BlockSparse {
  int block = 64;
  int band = 0;          ///< blocks on each side of the diagonal
  double density = 0.0;  ///< share of the other blocks of each row, rounded to a count
  std::uint64_t seed = 1;
};

/// The band of blocks around the diagonal and random other ones.
[[nodiscard]] Pattern block_sparse_pattern(int n,
                                           const BlockSparse& shape,
                                           bool causal);

/// A pattern for tokens in another order, in which tokens with the same keys are
/// neighbours.  It has full blocks where the original order has many blocks with few
/// pairs.
struct OrderedPattern {
  Pattern pattern;  ///< of positions
  std::vector<int> order =
      {};  ///< the token at each position; empty: the original order
};

/// strided_pattern() with tokens sorted by i mod stride: a query sees one run, and a
/// few tokens of its window in other classes, at most 2 radius + 1 runs.
[[nodiscard]] OrderedPattern strided_by_class(int n,
                                              int stride,
                                              int radius,
                                              bool causal);

/// sparse_fixed_pattern() with tokens that all queries see in front: a query sees these
/// tokens and one more run.
[[nodiscard]] OrderedPattern sparse_fixed_by_class(int n,
                                                   int block,
                                                   int summary,
                                                   bool causal);

/// Expands a pattern of the ceil(n/block) blocks of tokens to tokens.
[[nodiscard]] Pattern in_blocks(const Pattern& blocks, int n, int block, bool causal);

/// Query q sees the blocks of keys that are not 0 in row floor(q/block) of `allowed`
/// (ceil(n/block) squared).
[[nodiscard]] Pattern blocks_pattern(int n,
                                     int block,
                                     std::span<const std::uint8_t> allowed,
                                     bool causal);

/// The transposed pattern: "query" j sees the queries that see key j.
[[nodiscard]] Pattern transposed(const Pattern& pattern);

/// Pairs in all blocks of `block` queries and keys that contain a pair of the pattern;
/// blocks at the ends have fewer.
[[nodiscard]] std::int64_t block_pairs(const Pattern& pattern, int block);

}  // namespace oa::attention
