#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <array>
#include <span>

namespace oa::attention {

/// The maximum number of tokens in a block, and in a chunk.
inline constexpr int kDeltaTokens = 32;

/// Tokens begin .. end-1 of a block.
struct DeltaChunk {
  int begin = 0;
  int end = 0;
};

/// The decays of a block of one head: for each column of the key,
/// the sum G of log decays since the start of a chunk, exp(G) and exp(-G).
/// Arrays have packed rows of `keys` floats.
class DeltaDecays {
 public:
  DeltaDecays(int key_width, Arena& arena);

  /// Divides a block into chunks.  `log_decay` has a row for each token,
  /// and one column, a column for each column of the key, or none.
  void make(num::ConstView log_decay);

  [[nodiscard]] std::span<const DeltaChunk> chunks() const {
    return std::span(chunks_).first(static_cast<std::size_t>(used_));
  }
  /// The decay of the first token of the block.
  [[nodiscard]] const float* first() const { return first_; }
  [[nodiscard]] const float* shrink(int token) const;  ///< exp(G)
  [[nodiscard]] const float* grow(int token) const;    ///< exp(-G)

  /// Multiplies the rows of a state by the decay of the first token of a chunk.
  void enter(const DeltaChunk& chunk, num::View state) const;
  /// Multiplies the rows of a state by exp(G) of the chunk's last token.
  void leave(const DeltaChunk& chunk, num::View state) const;

 private:
  int keys_;
  bool none_ = false;  ///< all factors are 1
  float* sums_;
  float* first_;
  float* shrink_;
  float* grow_;
  std::array<DeltaChunk, kDeltaTokens> chunks_{};
  int used_ = 0;
};

/// The arrays for key_slopes(), packed rows of `keys` floats.
struct KeySlopes {
  const float* q;        ///< Q+
  const float* k;        ///< K+
  const float* k_grown;  ///< K-
  const float* shrink;
  const float* grow;
  float* dq;  ///< in: gradient of Q+; out: of Q
  float* dk;  ///< in: gradient of K+; out: of K
  const float* dk_grown;
  const float* later;  ///< gradient of log a of later tokens, one row
  float* d_decay;      ///< out: gradient of log a of each column
};

/// Computes the gradients of a chunk, from its last token to its first.
void key_slopes(const KeySlopes& at, int tokens, int keys);

/// out_i = the sum of row i of x, packed
void row_sums(const float* x, int width, num::View out);

}  // namespace oa::attention
