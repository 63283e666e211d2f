#pragma once

#include "oa/attention/kernel/pattern/pattern.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

// The fixed patterns of sparse attention over n tokens.  i is a query, j a key; a
// causal pattern keeps the pairs with j <= i.  W(n,w) = n(2w+1) - w(w+1) is the number
// of pairs of a window, for w < n.  Attention over a pattern costs 4 d pairs() FLOPs
// and pairs() exponentials in each head, if it is executed pair by pair; executed in
// blocks it costs what all pairs of the blocks cost that it touches: block_pairs().

/// What a pattern takes that is no window, where a query has so many runs at most.
[[nodiscard]] constexpr std::int64_t pattern_bytes(std::int64_t n, std::int64_t runs) {
  return n * (runs * std::int64_t{sizeof(Run)} + std::int64_t{sizeof(std::int64_t)});
}

/// |i-j| <= radius: W(n,radius) pairs; causal n(w+1) - w(w+1)/2.  Takes no memory.
[[nodiscard]] Pattern window_pattern(int n, int radius, bool causal);

/// (i-j) mod stride = 0, or |i-j| <= radius.  Without the window the tokens are
/// `stride` classes that never learn of each other: radius >= 1 unless that is wanted.
[[nodiscard]] Pattern strided_pattern(int n, int stride, int radius, bool causal);

/// |i-j| <= radius * dilation and (i-j) mod dilation = 0: the sum of W(c,radius) over
/// the classes of c = ceil((n-r)/dilation) tokens, which never learn of each other.
[[nodiscard]] Pattern dilated_pattern(int n, int radius, int dilation, bool causal);

/// A window, and the first `globals` tokens see all and are seen by all:
/// 2gn - g^2 + W(n-g,radius) pairs if n-g > 2 radius.
[[nodiscard]] Pattern longformer_pattern(int n, int radius, int globals, bool causal);

/// The keys of the query's own block of `block` tokens, and the last `summary` of every
/// block: about n (block + summary n / block) pairs, least at block = sqrt(summary n).
[[nodiscard]] Pattern sparse_fixed_pattern(int n, int block, int summary, bool causal);

/// |i-j| <= block, or (i-j) mod block = 0: the strided form of the same paper.
[[nodiscard]] Pattern sparse_strided_pattern(int n, int block, bool causal);

struct BigBird {
  int radius = 3;   ///< of the window
  int globals = 4;  ///< first tokens, which see all and are seen by all
  int random = 4;   ///< other keys of each token that is not global
  int block = 1;    ///< the three above count blocks of so many tokens
  std::uint64_t seed = 1;
};

/// Window, global tokens and random keys, drawn from those that the query does not see
/// yet (in a causal pattern: those before it); all of them where there are fewer.  With
/// n-g > 2 radius + random: 2gn - g^2 + W(n-g,w) + (n-g) random pairs.
///
/// With block > 1 the same is drawn for the ceil(n/block) blocks of tokens and each
/// pair of blocks is all its pairs of tokens: random keys one by one touch most blocks
/// of the matrix, and so save little work.
[[nodiscard]] Pattern bigbird_pattern(int n, const BigBird& shape, bool causal);

struct BlockSparse {
  int block = 64;
  int band = 0;          ///< blocks beside the diagonal on each side
  double density = 0.0;  ///< share of the other blocks of each row, rounded to a count
  std::uint64_t seed = 1;
};

/// The band of blocks around the diagonal and random ones beside it.
[[nodiscard]] Pattern block_sparse_pattern(int n,
                                           const BlockSparse& shape,
                                           bool causal);

/// A pattern of tokens in another order, in which those that see the same are
/// neighbours: blocks of it are full where those of the tokens' own order would all
/// hold a few pairs.
struct OrderedPattern {
  Pattern pattern;              ///< of places
  std::vector<int> order = {};  ///< the token at each place; empty: as they come
};

/// strided_pattern(), class by class of the same rest: a query sees a run, and of other
/// classes the few tokens of its window, 2 radius + 1 runs at most.
[[nodiscard]] OrderedPattern strided_by_class(int n,
                                              int stride,
                                              int radius,
                                              bool causal);

/// sparse_fixed_pattern(), the tokens that all see before the others: a query sees all
/// of the former and a run of the latter.
[[nodiscard]] OrderedPattern sparse_fixed_by_class(int n,
                                                   int block,
                                                   int summary,
                                                   bool causal);

/// Each pair of `blocks`, a pattern of the ceil(n/block) blocks of tokens, is all its
/// pairs of tokens: strided or fixed patterns of blocks, for example.
[[nodiscard]] Pattern in_blocks(const Pattern& blocks, int n, int block, bool causal);

/// Query q sees the blocks of keys that are not 0 in row floor(q/block) of `allowed`
/// (ceil(n/block) squared).
[[nodiscard]] Pattern blocks_pattern(int n,
                                     int block,
                                     std::span<const std::uint8_t> allowed,
                                     bool causal);

/// The queries that see key j are what "query" j of the result sees.
[[nodiscard]] Pattern transposed(const Pattern& pattern);

/// Pairs in the blocks of `block` queries and keys that hold a pair of the pattern,
/// those at the ends counted as far as there are tokens.
[[nodiscard]] std::int64_t block_pairs(const Pattern& pattern, int block);

}  // namespace oa::attention
