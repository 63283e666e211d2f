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

  /// Makes a model whose parameters are zero.
  explicit Model(const Config& config);
};

/// Random changes of an example in training.
struct TrainingNoise {
  /// The share of tokens that are replaced by random tokens of the mean magnitude of
  /// the image's tokens.
  float random_tokens = 0.0F;
  Rng rng{0};  ///< for noisy kinds of attention, which use forks
};

/// An architecture with memory for one input, small enough for L1 and L2 caches;
/// each thread needs its own Network.  Each length of sequence gets separate memory.
class Network {
 public:
  explicit Network(const Config& config, const attention::SolverSettings& solver = {});

  [[nodiscard]] const Architecture& architecture() const { return architecture_; }
  [[nodiscard]] const Config& config() const { return architecture_.config; }
  /// The bytes of memory for an input of the last input's length.
  [[nodiscard]] std::size_t memory() const { return here_->arena.high_water(); }

  /// Computes scores: one row, or several; see Config::score_rows().
  [[nodiscard]] num::ConstView forward(const parts::Weights& weights,
                                       const Input& input,
                                       const std::optional<TrainingNoise>& noise = {});

  /// Adds the gradient of the parameters, given the gradient of the scores of the last
  /// forward(), whose input must still exist.
  void backward(const parts::Weights& weights,
                num::ConstView dscores,
                parts::Values& gradient);

  /// Sets the progress of training, for layers that learn in stages.
  void set_stage(const attention::Stage& stage);

  // Steps of a forward pass: begin(); for each layer attend(), or a computation of
  // output() by the caller, then finish(); read_out().

  void begin(const parts::Weights& weights,
             const Input& input,
             const std::optional<TrainingNoise>& noise = {});
  /// The problems that a layer poses for its input, one for each head; empty for kinds
  /// without problems.  Computes only the given rows of h, or all.
  [[nodiscard]] std::span<const attention::Problem> pose(
      const parts::Weights& weights,
      int layer,
      const std::optional<attention::QueryRows>& rows = {});
  void attend(const parts::Weights& weights, int layer);
  void finish(const parts::Weights& weights, int layer);
  /// Like finish(), but for an output() that already includes the residual.
  void hand_on(const parts::Weights& weights, int layer);
  [[nodiscard]] num::ConstView read_out(const parts::Weights& weights);

  /// The output of a layer's attention.
  [[nodiscard]] num::View output(int layer) { return at(layer).output; }
  /// The residual that finish() adds, row by row; empty without residual layers.
  [[nodiscard]] num::ConstView residual(int layer) const;
  /// The input of a layer.
  [[nodiscard]] num::ConstView tokens(int layer) const { return at(layer).tokens; }
  /// The attention of a layer, for its statistics.
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
  /// The rows of the last attention that get scores.
  [[nodiscard]] num::View scored_rows(num::View all) const;
  void go_to(int tokens);
  void replace_tokens(float share, Rng rng);

  Architecture architecture_;
  std::map<int, Place> places_;  // by number of tokens
  Place* here_ = nullptr;
  std::optional<Input> input_;  // of the last forward()
  attention::Stage stage_;
  std::vector<int> replaced_;  // random tokens of the first layer
};

/// Returns the model on a finer or coarser grid of patches, with bilinearly
/// interpolated positions.  Throws InputError if `stride` does not fit the images, or
/// if the classifier has weights for each query.
[[nodiscard]] Model with_stride(const Model& model, int stride);

}  // namespace oa::model
