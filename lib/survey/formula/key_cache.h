#pragma once

#include "oa/attention/formula/heads.h"

#include <cstdint>

namespace oa::attention {

/// The keys and values of a decoder's tokens.
class KeyCache {
 public:
  /// Columns: keys are stored transposed, so that the logits of all tokens are one
  /// product.
  enum class Keys : std::uint8_t { Rows, Columns };

  KeyCache() = default;
  KeyCache(const Heads& heads, int rows, Arena& arena, Keys keys = Keys::Rows);

  /// Stores the key and the value of a token in a row.
  void put(int row, const HeadsView& token) const;
  /// The query with the first `rows` keys, unless they are transposed, and values.
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
