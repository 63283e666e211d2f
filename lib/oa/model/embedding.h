#pragma once

#include "oa/model/config.h"
#include "oa/parts/layers.h"

#include <optional>
#include <span>

namespace oa::model {

/// Embeds an image as tokens (m, token_width).  Patches are optionally normalised,
/// then embedded, and get a learned position.  Patches are read row by row in the order
/// "(h w) (c ph pw)", one colour after another.
class PatchEmbedding {
 public:
  struct Workspace {
    num::View patches;
    num::View dpatches;  // needed for gradients of the normalisation
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
  };

  PatchEmbedding(const Config& config, parts::Layout& layout);

  /// The cost of the parts, m token_width parameters for positions, and a workspace of
  /// once or twice (m,window_size).  In an MLP, backward of the first map is one
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
  int positions_ = -1;  // tensor of positions; -1: no positions
};

/// Converts pixels 0..255 to (p/255 - 0.5) / 0.5.
void normalize_pixels(std::span<const std::uint8_t> pixels, std::span<float> image);

}  // namespace oa::model
