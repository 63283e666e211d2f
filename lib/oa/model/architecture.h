#pragma once

#include "oa/attention/kind.h"
#include "oa/model/config.h"
#include "oa/model/embedding.h"
#include "oa/model/readout.h"
#include "oa/model/sequence_embedding.h"

#include <memory>
#include <optional>
#include <vector>

namespace oa::model {

/// The parts of a model with their tensors, in the order of computation.
/// An Architecture has no memory for inputs and is cheap to make.
struct Architecture {
  /// The memory for one input.
  struct Workspace {
    struct Layer {
      num::View tokens;  ///< the layer's input
      num::View unit;    ///< `tokens`, normalised if layers are residual
      parts::Norm::Workspace norm;
      num::View output;   ///< output of the attention
      num::View doutput;  ///< gradient of `output`
      std::unique_ptr<attention::Attention> attention;
      TokenMixer::Workspace mixer;
    };
    PatchEmbedding::Workspace patches;
    SequenceEmbedding::Workspace sequence;
    std::vector<Layer> layers;
    Readout::Workspace readout;
    num::View dtokens;  ///< first layer only
  };

  struct Layer {
    std::optional<parts::Norm> norm;  ///< before the attention, if layers are residual
    std::unique_ptr<const attention::Layer> attention;
    std::optional<TokenMixer> mixer;  ///< the last layer's is in the readout
    int asking = 0;                   ///< number of last tokens that are queries only
  };

  explicit Architecture(const Config& config,
                        const attention::SolverSettings& solver = {});

  /// The cost for an input of `tokens` tokens:
  /// that of the parts, and a workspace for inputs and outputs of all attentions.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] parts::Cost cost() const { return cost(config.tokens()); }
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  Config config;
  parts::Layout layout;
  std::optional<PatchEmbedding> patches;
  std::optional<SequenceEmbedding> sequence;  ///< exists if `patches` does not
  std::vector<Layer> layers;
  Readout readout;

 private:
  /// The number of rows that a layer's attention computes.
  [[nodiscard]] int output_rows(int layer, int tokens) const;
};

}  // namespace oa::model
