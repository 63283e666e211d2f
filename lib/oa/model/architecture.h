#pragma once

#include "oa/attention/kind.h"
#include "oa/model/config.h"
#include "oa/model/embedding.h"
#include "oa/model/readout.h"
#include "oa/model/sequence_embedding.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::model {

/// The parts of a model, declared in the order in which an input meets them, and the
/// tensors they declared.  It has no memory for inputs and takes next to no time.
struct Architecture {
  /// What an input needs on its way.
  struct Workspace {
    struct Layer {
      num::View tokens;  ///< what enters it
      num::View unit;    ///< the same, normalised; where layers add, else `tokens`
      parts::Norm::Workspace norm;
      num::View output;   ///< of the attention
      num::View doutput;  ///< its gradient
      std::unique_ptr<attention::Attention> attention;
      TokenMixer::Workspace mixer;
    };
    PatchEmbedding::Workspace patches;
    SequenceEmbedding::Workspace sequence;
    std::vector<Layer> layers;
    Readout::Workspace readout;
    num::View dtokens;  ///< of the first layer
  };

  struct Layer {
    std::optional<parts::Norm> norm;  ///< before the attention, where layers add
    std::unique_ptr<const attention::Layer> attention;
    std::optional<TokenMixer> mixer;  ///< that of the last layer is the readout's
    int asking = 0;                   ///< tokens that this attention takes for queries
  };

  explicit Architecture(const Config& config,
                        const attention::SolverSettings& solver = {});

  /// For an input of so many tokens: that of the parts, and a workspace of what enters
  /// and leaves each attention.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] parts::Cost cost() const { return cost(config.tokens()); }
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  Config config;
  parts::Layout layout;
  std::optional<PatchEmbedding> patches;
  std::optional<SequenceEmbedding> sequence;  ///< one of the two
  std::vector<Layer> layers;
  Readout readout;

 private:
  /// Rows that the attention of a layer yields.
  [[nodiscard]] int output_rows(int layer, int tokens) const;
};

}  // namespace oa::model
