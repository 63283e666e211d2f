#pragma once

#include "oa/attention/kernel/decode_cache.h"
#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// A query of heads * d numbers, d for each head.
/// Head h reads group h * groups / heads of the cache.
struct DecodeQuery {
  std::span<const float> q;
  int heads = 1;
  int groups = 1;
  float scale = 1.0F;

  [[nodiscard]] int width() const { return static_cast<int>(q.size()) / heads; }
};

/// Memory for decode.  Long caches are cut into at most kParts parts, depending on
/// their length only; results are merged in order.  Each part has `heads` rows.
struct DecodeScratch {
  static constexpr int kParts = 8;

  DecodeScratch(int heads, int width, Arena& arena);

  num::View q;           ///< scaled
  num::View p;           ///< weights of the keys of a panel
  num::View o;           ///< sums of weighted values
  num::View sum;         ///< of weights, a vector
  std::span<float> top;  ///< the highest logit; sums are relative to its weight
};

/// Computes o (heads * d) = softmax(scale q k') v over the first `rows` rows of the
/// cache; o is 0 without rows.  Keys and values are read once, in order,
/// for all heads of a group, so the time is that of reading memory.
/// Takes 4 rows d FLOPs a head, and reads 2 rows groups d elements.
void decode(const DecodeQuery& query,
            const DecodeCache& cache,
            int rows,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch);

}  // namespace oa::attention
