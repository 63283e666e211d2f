#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// What a model is given: a picture or a sequence.
struct Input {
  std::span<const float> picture;     ///< pixels in [-1,1], see normalize_pixels()
  std::span<const std::int32_t> ids;  ///< of the tokens, if they have some; -1: none
  std::span<const float> vectors;     ///< of the tokens, if they have some
  int tokens = 0;                     ///< of the sequence; 0: it is a picture

  /// A picture, to be handed over as it is.
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
