#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// The input of a model: a picture or a sequence.
struct Input {
  std::span<const float> picture;     ///< pixels in [-1,1], see normalize_pixels()
  std::span<const std::int32_t> ids;  ///< of tokens, if there are any; -1: none
  std::span<const float> vectors;     ///< of tokens, if there are any
  int tokens = 0;                     ///< of the sequence; 0: a picture

  /// A picture as an input.
  Input(std::span<const float> pixels) : picture(pixels) {}     // NOLINT: as span
  Input(const std::vector<float>& pixels) : picture(pixels) {}  // NOLINT
  Input(std::span<const std::int32_t> token_ids,
        std::span<const float> token_vectors,
        int token_count)
      : ids(token_ids),
        vectors(token_vectors),
        tokens(token_count) {}
};

}  // namespace oa::model
