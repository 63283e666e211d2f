#pragma once

#include "oa/model/config.h"
#include "oa/parts/layers.h"

#include <optional>
#include <span>

namespace oa::model {

/// Image -> tokens (m, token_width): patches row by row, "(h w) (c ph pw)" with the
/// colours of an image one after the other, optionally normalised, embedded, plus a
/// learned position.
class PatchEmbedding {
 public:
  struct Workspace {
    num::View patches;
    num::View dpatches;  // if gradients go through the MLP to the normalisation
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
  };

  PatchEmbedding(const Config& config, parts::Layout& layout);

  /// The cost of its parts, m token_width parameters for positions, and a workspace of
  /// once or twice (m,window_size).  Backward of the first map of an MLP is only one
  /// product if nothing before it is learned.
  [[nodiscard]] parts::Cost cost() const;
  [[nodiscard]] Workspace workspace(Arena& arena) const;

  /// `image` has channels * rows * cols pixels in [-1,1].
  void forward(const parts::Weights& weights,
               std::span<const float> image,
               num::View tokens,
               const Workspace& workspace) const;
  void backward(const parts::Weights& weights,
                num::View dtokens,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  void cut(std::span<const float> image, num::View patches) const;

  Config config_;
  std::optional<parts::Norm> norm_;
  std::optional<parts::Mlp> mlp_;
  int positions_ = -1;  // tensor; -1: none
};

/// Converts pixels 0..255 to (p/255 - 0.5) / 0.5.
void normalize_pixels(std::span<const std::uint8_t> pixels, std::span<float> image);

}  // namespace oa::model
