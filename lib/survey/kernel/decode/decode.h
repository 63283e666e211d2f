#pragma once

#include "oa/base/arena.h"
#include "survey/kernel/decode/cache.h"

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

/// The results of a thread for its part of the cache.
struct DecodePart;

/// Memory for decode().  Long caches are cut into at most kParts parts.  Results do not
/// depend on threads: parts depend on the cache's length only, and are merged in order.
///   bytes = kParts x heads x (width + 81) x 4 and little more
class DecodeScratch {
 public:
  static constexpr int kParts = 8;

  DecodeScratch(int heads, int width, Arena& arena);

  [[nodiscard]] float* q() const { return q_; }
  [[nodiscard]] std::span<DecodePart> parts() const { return parts_; }

 private:
  float* q_ = nullptr;
  std::span<DecodePart> parts_;
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
