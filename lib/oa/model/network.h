#pragma once

#include "oa/base/rng.h"
#include "oa/model/architecture.h"
#include "oa/model/input.h"

#include <map>
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

/// An architecture with the memory for one input: one per thread.  Everything of one
/// input stays in the first two levels of cache.  Each length of sequences that it
/// meets gets memory of its own.
class Network {
 public:
  explicit Network(const Config& config, const attention::SolverSettings& solver = {});

  [[nodiscard]] const Architecture& architecture() const { return architecture_; }
  [[nodiscard]] const Config& config() const { return architecture_.config; }
  /// Bytes that an input like the last one takes.
  [[nodiscard]] std::size_t memory() const { return here_->arena.high_water(); }

  /// Scores of the input: a row, or a row for each query; see Config::score_rows().
  [[nodiscard]] num::ConstView forward(const parts::Weights& weights,
                                       const Input& input,
                                       const std::optional<TrainingNoise>& noise = {});

  /// Adds the gradient of the parameters, given that of the scores of the last forward,
  /// whose input must still be there.
  void backward(const parts::Weights& weights,
                num::ConstView dscores,
                parts::Values& gradient);

  /// How far the training is, for layers that learn in stages.
  void set_stage(const attention::Stage& stage);

  // The way forward step by step: begin(); for each layer attend(), or whatever else
  // fills output(), and finish(); read_out().

  void begin(const parts::Weights& weights,
             const Input& input,
             const std::optional<TrainingNoise>& noise = {});
  /// The problems of a layer for what entered it, if its kind has some: one for each
  /// head.  Other rows of h than `rows`, if given, mean nothing.
  [[nodiscard]] std::span<const attention::Problem> pose(
      const parts::Weights& weights,
      int layer,
      const std::optional<attention::QueryRows>& rows = {});
  void attend(const parts::Weights& weights, int layer);
  void finish(const parts::Weights& weights, int layer);
  /// finish(), where output() has what it adds already.
  void hand_on(const parts::Weights& weights, int layer);
  [[nodiscard]] num::ConstView read_out(const parts::Weights& weights);

  /// What the attention of a layer yields.
  [[nodiscard]] num::View output(int layer) { return at(layer).output; }
  /// What finish() adds to it, row by row; nothing where layers do not add.
  [[nodiscard]] num::ConstView residual(int layer) const;
  /// What entered a layer.
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
  /// The rows of the last attention that scores are made of.
  [[nodiscard]] num::View scored_rows(num::View all) const;
  void go_to(int tokens);
  void replace_tokens(float share, Rng rng);

  Architecture architecture_;
  std::map<int, Place> places_;  // by tokens
  Place* here_ = nullptr;
  std::optional<Input> input_;  // of the last forward
  attention::Stage stage_;
  std::vector<int> replaced_;  // tokens of the first layer that are random
};

/// The same model on a finer or coarser grid of patches: positions interpolated
/// bilinearly between those it was trained with.  Throws InputError if `stride` does
/// not fit the images or the classifier sees every query by itself.
[[nodiscard]] Model with_stride(const Model& model, int stride);

}  // namespace oa::model
