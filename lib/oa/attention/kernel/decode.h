#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace oa::attention {

/// What a decoder keeps of keys and values: floats, or half of the bytes with 11 bits
/// of fraction, nothing beyond 65504.
enum class CacheNumbers : std::uint8_t { Float, Half };

/// Keys and values in memory.  Element is float or the bits of a half.
template <class Element>
struct DecodeMemory {
  Element* k = nullptr;
  Element* v = nullptr;
};

/// Keys and values of so many rows, each of which may be written again, in the order in
/// which decode reads them: what a group of heads sees is in one piece.  Its keys are
/// in panels of 64 rows, where the rows' first numbers lie side by side, then their
/// second numbers; its values are row behind row.  Fewer rows have a panel of 16, 32
/// or 48.
///   elements = groups x width x (rows, and rows of all panels), and little more
class DecodeCache {
 public:
  static constexpr int kPanel = 64;

  DecodeCache(int rows, int groups, int width, CacheNumbers numbers, Arena& arena);

  /// The key and the value of a token, groups * width numbers each.
  void put(int row, std::span<const float> k, std::span<const float> v);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int groups() const { return groups_; }
  [[nodiscard]] int width() const { return width_; }
  /// Rows of a panel.
  [[nodiscard]] int panel() const { return std::min(kPanel, num::padded(rows_)); }

  /// For decode.
  using Memory = std::variant<DecodeMemory<float>, DecodeMemory<std::uint16_t>>;
  [[nodiscard]] const Memory& memory() const { return memory_; }
  template <class Element>
  [[nodiscard]] DecodeMemory<Element> of_group(const DecodeMemory<Element>& all,
                                               int group) const {
    return {all.k + group * keys_of_group(), all.v + group * values_of_group()};
  }

 private:
  [[nodiscard]] std::ptrdiff_t keys_of_group() const;
  [[nodiscard]] std::ptrdiff_t values_of_group() const;

  int rows_;
  int groups_;
  int width_;
  Memory memory_;
};

/// One query for each head, against the keys and values before it: heads * d numbers.
/// Head h reads group h * groups / heads of the cache.
struct DecodeQuery {
  std::span<const float> q;
  int heads = 1;
  int groups = 1;
  float scale = 1.0F;

  [[nodiscard]] int width() const { return static_cast<int>(q.size()) / heads; }
};

/// What a thread has of its part of the cache.
struct DecodePart;

/// Memory for decode.  Long caches are cut into at most kParts parts, by their length
/// alone, whose results are merged in order.
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

/// o (heads * d) = softmax(scale q k') v over the first `rows` of the cache; 0 if these
/// are none.  Keys and values are read once, from end to end, for all heads of a group:
/// time is that of reading them from memory.  FLOPs 4 rows d a head, bytes 2 rows
/// groups d elements.
void decode(const DecodeQuery& query,
            const DecodeCache& cache,
            int rows,
            std::span<float> o,
            int threads,
            const DecodeScratch& scratch);

}  // namespace oa::attention
