#pragma once

#include "oa/attention/formula/heads.h"

#include <cstdint>

namespace oa::attention {

/// The keys and values of a decoder's tokens.
class KeyCache {
 public:
  /// The layout of keys.  Columns stores keys transposed,
  /// so that one product gives the logits of all tokens.
  enum class Keys : std::uint8_t { Rows, Columns };

  KeyCache() = default;
  KeyCache(const Heads& heads, int rows, Arena& arena, Keys keys = Keys::Rows);

  /// Stores the key and the value of a token in a row.
  void put(int row, const HeadsView& token) const;
  /// Returns the query with the first `rows` values, and keys unless transposed.
  [[nodiscard]] HeadsView heads(const HeadsView& token, int rows) const;
  [[nodiscard]] num::ConstView transposed_keys(int tokens) const {
    return columns(num::ConstView(keys_), 0, tokens);
  }

 private:
  bool transposed_ = false;
  num::View keys_;
  num::View values_;
};

}  // namespace oa::attention
