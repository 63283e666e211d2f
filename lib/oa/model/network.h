#pragma once

#include "oa/base/rng.h"
#include "oa/model/architecture.h"
#include "oa/model/input.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace oa::model {

/// A model: its configuration, layout and parameters.
struct Model {
  Config config;
  parts::Layout layout;
  parts::Values values;

  /// All parameters are zero.
  explicit Model(const Config& config);
};

/// Random changes of one image in training.
struct TrainingNoise {
  /// The share of tokens that are replaced by random ones with the mean magnitude of
  /// the image's tokens.
  float random_tokens = 0.0F;
  Rng rng{0};  ///< for kinds of attention with noise, which use branches
};

/// An architecture with memory for one input; each thread has its own.  An input fits
/// into the L1 and L2 caches.  Each length of sequences gets its own memory.
class Network {
 public:
  explicit Network(const Config& config, const attention::SolverSettings& solver = {});

  [[nodiscard]] const Architecture& architecture() const { return architecture_; }
  [[nodiscard]] const Config& config() const { return architecture_.config; }
  /// The bytes for an input like the last one.
  [[nodiscard]] std::size_t memory() const { return here_->arena.high_water(); }

  /// Scores of the input: one row, or one for each query; see Config::score_rows().
  [[nodiscard]] num::ConstView forward(const parts::Weights& weights,
                                       const Input& input,
                                       const std::optional<TrainingNoise>& noise = {});

  /// Adds the gradient of the parameters, from that of the scores of the last forward,
  /// whose input must still exist.
  void backward(const parts::Weights& weights,
                num::ConstView dscores,
                parts::Values& gradient);

  /// The progress of training, for layers that learn in stages.
  void set_stage(const attention::Stage& stage);

  // Forward step by step: begin(); for each layer attend(), or another computation of
  // output(), and finish(); read_out().

  void begin(const parts::Weights& weights,
             const Input& input,
             const std::optional<TrainingNoise>& noise = {});
  /// The problems of a layer for its input, one for each head; empty if its kind has
  /// none. Only the given rows of h are computed, or all.
  [[nodiscard]] std::span<const attention::Problem> pose(
      const parts::Weights& weights,
      int layer,
      const std::optional<attention::QueryRows>& rows = {});
  void attend(const parts::Weights& weights, int layer);
  void finish(const parts::Weights& weights, int layer);
  /// finish() for an output() that already includes the residual.
  void hand_on(const parts::Weights& weights, int layer);
  [[nodiscard]] num::ConstView read_out(const parts::Weights& weights);

  /// The output of a layer's attention.
  [[nodiscard]] num::View output(int layer) { return at(layer).output; }
  /// The residual that finish() adds, row by row; empty if layers are not residual.
  [[nodiscard]] num::ConstView residual(int layer) const;
  /// The input of a layer.
  [[nodiscard]] num::ConstView tokens(int layer) const { return at(layer).tokens; }
  /// The attention of a layer, for statistics.
  [[nodiscard]] const attention::Attention& attention(int layer) const {
    return *at(layer).attention;
  }

 private:
  /// The memory for inputs of one length.
  struct Place {
    explicit Place(const Architecture& architecture, int tokens);
    Arena arena;
    Architecture::Workspace workspace;
  };
  using LayerAt = Architecture::Workspace::Layer;

  [[nodiscard]] LayerAt& at(int layer) {
    return here_->workspace.layers[static_cast<std::size_t>(layer)];
  }
  [[nodiscard]] const LayerAt& at(int layer) const {
    return here_->workspace.layers[static_cast<std::size_t>(layer)];
  }
  /// The rows of the last attention that are scored.
  [[nodiscard]] num::View scored_rows(num::View all) const;
  void go_to(int tokens);
  void replace_tokens(float share, Rng rng);

  Architecture architecture_;
  std::map<int, Place> places_;  // by tokens
  Place* here_ = nullptr;
  std::optional<Input> input_;  // of the last forward
  attention::Stage stage_;
  std::vector<int> replaced_;  // tokens of the first layer that were replaced
};

/// The model on a finer or coarser grid of patches, with bilinearly interpolated
/// positions. Throws InputError if `stride` does not fit the images, or if the
/// classifier has weights for each query.
[[nodiscard]] Model with_stride(const Model& model, int stride);

}  // namespace oa::model
