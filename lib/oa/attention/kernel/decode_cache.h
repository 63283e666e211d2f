#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace oa::attention {

/// The number format of a decoder's cache:
/// floats, or half precision with 11 bits of fraction and magnitudes up to 65504.
enum class CacheNumbers : std::uint8_t { Float, Half };

/// A cache of keys and values whose rows can be overwritten.
/// Each group of heads has a stream in the order in which decode() reads it.
/// A panel of 64 rows has the transposed keys, then the values row by row; the next
/// panel follows.  A cache of fewer than 64 rows has one panel of 16, 32 or 48 rows.
///   elements = groups x width x (rows, and rows of all panels), and little more
class DecodeCache {
 public:
  static constexpr int kPanel = 64;

  DecodeCache(int rows, int groups, int width, CacheNumbers numbers, Arena& arena);

  /// Stores the key and value of a token, groups * width numbers each, in a row.
  void put(int row, std::span<const float> k, std::span<const float> v);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int groups() const { return groups_; }
  [[nodiscard]] int width() const { return width_; }
  /// The number of rows of a panel.
  [[nodiscard]] int panel() const { return std::min(kPanel, num::padded(rows_)); }

  /// The memory that decode() reads: floats or bits of half precision.
  using Memory = std::variant<float*, std::uint16_t*>;
  [[nodiscard]] const Memory& memory() const { return memory_; }
  template <class Element>
  [[nodiscard]] Element* of_group(Element* all, int group) const {
    return all + group * elements_of_group();
  }

 private:
  [[nodiscard]] std::ptrdiff_t elements_of_group() const;

  int rows_;
  int groups_;
  int width_;
  Memory memory_;
};

}  // namespace oa::attention
