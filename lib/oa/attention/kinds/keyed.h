#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/head_options.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace oa::attention {

/// The source of keys of optimising attention.
enum class OptimizingKeys : std::uint8_t {
  Paper,     ///< keys are the values: the layer of the paper
  Own,       ///< keys are the values, with heads and learned scales
  Shared,    ///< one map for keys and queries
  Separate,  ///< a map for keys
};

/// Options of the kind "optimizing".
struct OptimizingOptions {
  int thin = 0;
  int candidates = 0;
  bool warm = false;
  OptimizingKeys keys = OptimizingKeys::Paper;
  HeadOptions maps;
  bool unit = true;
  bool centre = true;
  bool isometric = false;
  double alpha = 4.0;
  double beta = 8.0;
  double penalty = 3.0;
  int loops = 1;

  static std::span<const Field<OptimizingOptions>> fields();
};

/// True if option `name` applies together with `texts`.
[[nodiscard]] bool optimizing_option_applies(const OptionTexts& texts,
                                             const std::string& name);

/// Error message if a layer cannot be used at `site`; else empty.
[[nodiscard]] std::string refusal_of_optimizing(const Site& site);

/// Optimising attention with keys.
[[nodiscard]] Value keyed_optimum(Formula& f, const OptimizingOptions& o);

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::OptimizingKeys> {
  static constexpr std::array kAll{"paper", "own", "shared", "separate"};
};

}  // namespace oa
