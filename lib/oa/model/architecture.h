#pragma once

#include "oa/attention/kind.h"
#include "oa/model/config.h"
#include "oa/model/embedding.h"
#include "oa/model/readout.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::model {

/// Of the names of a layer's tensors: "", "layers.1.", ...
[[nodiscard]] std::string layer_prefix(int layer);

/// The parts of a model, declared in the order in which an image meets them, and the
/// tensors they declared.  It has no memory for images and takes next to no time.
struct Architecture {
  /// What an image needs on its way.
  struct Workspace {
    struct Layer {
      num::View tokens;  ///< what enters it
      std::unique_ptr<attention::Attention> attention;
      TokenMixer::Workspace mixer;
    };
    PatchEmbedding::Workspace embedding;
    std::vector<Layer> layers;
    Readout::Workspace readout;
    num::View output;  ///< of the last attention
    num::View doutput;
    num::View dtokens;  ///< of the first layer
  };

  struct Layer {
    std::unique_ptr<const attention::Layer> attention;
    std::optional<TokenMixer> mixer;  ///< that of the last layer is the readout's
  };

  explicit Architecture(const Config& config,
                        const attention::SolverSettings& solver = {});

  /// That of the parts, and a workspace of twice (n,dim), of (m,token_width), and of
  /// what enters each layer.
  [[nodiscard]] parts::Cost cost() const;
  /// Memory for one image.
  [[nodiscard]] Workspace workspace(Arena& arena) const;

  Config config;
  parts::Layout layout;
  PatchEmbedding embedding;
  std::vector<Layer> layers;
  Readout readout;
};

}  // namespace oa::model
