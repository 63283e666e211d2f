#pragma once

#include "oa/base/rng.h"
#include "oa/model/architecture.h"

#include <optional>
#include <span>
#include <vector>

namespace oa::model {

/// A model ready to run: what it is and its parameters.
struct Model {
  Config config;
  parts::Layout layout;
  parts::Values values;

  /// With parameters all zero.
  explicit Model(const Config& config);
};

/// What a network does to one image only while it trains.
struct TrainingNoise {
  /// The share of tokens that are replaced by random ones, as large as the image's
  /// tokens are on average.
  float random_tokens = 0.0F;
  Rng rng{0};  ///< kinds of attention that are noisy draw from branches of it
};

/// An architecture with the memory for one image, all of it in one arena: one per
/// thread.  Everything of one image stays in the first two levels of cache.
class Network {
 public:
  explicit Network(const Config& config, const attention::SolverSettings& solver = {});

  [[nodiscard]] const Architecture& architecture() const { return architecture_; }
  [[nodiscard]] const Config& config() const { return architecture_.config; }
  [[nodiscard]] const Arena& arena() const { return arena_; }

  /// Class scores of an image of rows * cols pixels in [-1,1], see normalize_pixels().
  [[nodiscard]] std::span<const float> forward(
      const parts::Weights& weights,
      std::span<const float> image,
      const std::optional<TrainingNoise>& noise = {});

  /// Adds the gradient of the parameters, given that of the scores of the last forward.
  void backward(const parts::Weights& weights,
                std::span<const float> dscores,
                parts::Values& gradient);

  /// The problems of the last attention layer for this image, if its kind has some.
  [[nodiscard]] std::span<const attention::Problem> pose(const parts::Weights& weights,
                                                         std::span<const float> image);

  /// What entered a layer in the last forward.
  [[nodiscard]] num::ConstView tokens(int layer) const {
    return workspace_.layers[static_cast<std::size_t>(layer)].tokens;
  }

  /// The attention of a layer, for its statistics.
  [[nodiscard]] const attention::Attention& attention(int layer) const {
    return *workspace_.layers[static_cast<std::size_t>(layer)].attention;
  }

 private:
  void up_to_last_attention(const parts::Weights& weights,
                            std::span<const float> image,
                            const std::optional<TrainingNoise>& noise);
  void replace_tokens(float share, Rng rng);

  Architecture architecture_;
  Arena arena_;
  Architecture::Workspace workspace_;
  std::vector<int> replaced_;  // tokens of the first layer that are random
};

/// The same model on a finer or coarser grid of patches: positions interpolated
/// bilinearly between those it was trained with.  Throws InputError if `stride` does
/// not fit the images or the classifier sees every query by itself.
[[nodiscard]] Model with_stride(const Model& model, int stride);

}  // namespace oa::model
