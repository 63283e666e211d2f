#pragma once

#include "oa/model/config.h"
#include "oa/parts/layers.h"

#include <optional>
#include <span>

namespace oa::model {

/// Image -> tokens (m, token_width): patches row by row, "(h w) (c ph pw)", normalised
/// if the model says so, embedded, plus a learned position.
class PatchEmbedding {
 public:
  PatchEmbedding(const Config& config, parts::Layout& layout);

  /// `image` has rows * cols pixels in [-1,1].
  void forward(const parts::Weights& weights,
               std::span<const float> image,
               num::View tokens);
  void backward(const parts::Weights& weights,
                num::View dtokens,
                parts::Values& gradient);

 private:
  void cut(std::span<const float> image);

  Config config_;
  num::Matrix patches_;
  std::optional<parts::Norm> norm_;
  std::optional<parts::Mlp> mlp_;
  int positions_ = -1;  // tensor, or -1
};

/// Pixels 0..255 as the model sees them: (p/255 - 0.5) / 0.5.
void normalize_pixels(std::span<const std::uint8_t> pixels, std::span<float> image);

}  // namespace oa::model
