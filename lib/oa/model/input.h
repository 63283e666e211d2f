#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// The input of a model: a picture or a sequence.
struct Input {
  std::span<const float> picture;     ///< pixels in [-1,1], see normalize_pixels()
  std::span<const std::int32_t> ids;  ///< id of each token; -1: none; empty: no ids
  std::span<const float> vectors;     ///< vector of each token; empty: no vectors
  int tokens = 0;                     ///< number of tokens; 0: a picture

  /// Makes an input of a picture.
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
