#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace oa::exact {

/// A whole number of 64 `Words` bits in two's complement; the caller sees to it that
/// nothing overflows.
template <std::size_t Words>
class Integer {
 public:
  Integer() = default;

  Integer& operator+=(const Integer& other) {
    bool carry = false;
    for (std::size_t i = 0; i < Words; ++i) {
      const std::uint64_t sum = words_[i] + other.words_[i] + (carry ? 1 : 0);
      carry = carry ? sum <= words_[i] : sum < words_[i];
      words_[i] = sum;
    }
    return *this;
  }

  Integer& operator-=(const Integer& other) { return *this += -other; }

  [[nodiscard]] Integer operator-() const {
    Integer result;
    bool carry = true;
    for (std::size_t i = 0; i < Words; ++i) {
      result.words_[i] = ~words_[i] + (carry ? 1 : 0);
      carry = carry && result.words_[i] == 0;
    }
    return result;
  }

  friend bool operator==(const Integer&, const Integer&) = default;

  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    if (a.negative() != b.negative()) {
      return a.negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    for (std::size_t i = Words; i-- > 0;) {
      if (a.words_[i] != b.words_[i]) {
        return a.words_[i] <=> b.words_[i];
      }
    }
    return std::strong_ordering::equal;
  }

  [[nodiscard]] bool negative() const { return words_[Words - 1] >> 63U != 0; }
  [[nodiscard]] Integer magnitude() const { return negative() ? -*this : *this; }

  /// Positions of the lowest bit and, of a number that isn't negative, of the highest;
  /// -1 for 0.
  [[nodiscard]] int lowest_bit() const {
    for (std::size_t i = 0; i < Words; ++i) {
      if (words_[i] != 0) {
        return 64 * static_cast<int>(i) + std::countr_zero(words_[i]);
      }
    }
    return -1;
  }
  [[nodiscard]] int highest_bit() const {
    for (std::size_t i = Words; i-- > 0;) {
      if (words_[i] != 0) {
        return 64 * static_cast<int>(i) + 63 - std::countl_zero(words_[i]);
      }
    }
    return -1;
  }

  /// 64 bits from position `from` on.
  [[nodiscard]] std::uint64_t bits(int from) const {
    const auto word = static_cast<std::size_t>(from / 64);
    const int bit = from % 64;
    const std::uint64_t above = word + 1 < Words ? words_[word + 1] : 0;
    return bit == 0 ? words_[word] : words_[word] >> bit | above << (64 - bit);
  }

  /// Sets 64 bits that are 0.
  void put(int from, std::uint64_t bits) {
    const auto word = static_cast<std::size_t>(from / 64);
    const int bit = from % 64;
    words_[word] |= bits << bit;
    if (bit != 0 && word + 1 < Words) {
      words_[word + 1] |= bits >> (64 - bit);
    }
  }

 private:
  std::array<std::uint64_t, Words> words_{};  ///< lowest first
};

}  // namespace oa::exact
