#pragma once

#include "oa/attention/formula/heads.h"
#include "survey/kernel/scan/feature_map.h"

#include <memory>
#include <optional>

namespace oa::attention {

/// Random directions, shared by all heads and threads.
struct Directions {
  num::Matrix columns;  // d x m
  num::Matrix rows;     // m x d

  Directions(int d, int m, bool orthogonal, std::int64_t seed);
};

/// Settings of kernel/scan/linear_scan.h.
struct FeatureSettings {
  Feature feature = Feature::Elu;
  std::shared_ptr<const Directions> directions{};
  float epsilon = 1e-6F;       ///< added to the denominator
  std::int64_t per_token = 0;  ///< exponentials, sines and cosines per token and head
  std::optional<Value> gate{};
  bool learns_sigma = false;  ///< learn the tensor inverse_sigma (heads)
};
[[nodiscard]] Value feature_attention(const Heads& heads,
                                      const FeatureSettings& settings);

}  // namespace oa::attention
