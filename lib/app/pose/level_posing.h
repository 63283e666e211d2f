#pragma once

#include "app/context.h"
#include "oa/base/field.h"
#include "oa/model/config.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// The choice of the top level, which gives the lowest energies after rounding.
enum class LevelScale : std::uint8_t {
  None,   ///< 1; for the lasso the largest coefficient of the image
  Image,  ///< one top level for all queries of an image
  Query,  ///< a top level for each query
};

/// Settings for posing problems with levels.
struct LevelOptions {
  std::string encoding = "binary";
  std::optional<double> penalty;  ///< empty: provably large enough
  std::string scale = "none";
};

/// The check that a given penalty is large enough.
struct PenaltyCheck {
  std::int64_t problems = 0;  ///< problems with a coefficient without proof
  double needed = 0.0;        ///< the smallest penalty with a proof for all

  void add(const PenaltyCheck& other);
};

/// Adds steps and penalties of a model's levels to a problem.  A problem of the lasso,
/// whose coefficients may be negative, also gets its values negated, so that levels
/// from 0 up suffice.  Throws InputError, whose message begins with `where`,
/// if a scale must be chosen for a problem that is not convex.
PenaltyCheck pose_levels(const model::Config& config,
                         const LevelOptions& options,
                         const std::string& where,
                         qubo::Problem& problem);

/// Adds the encoding's penalties to a problem with levels.
PenaltyCheck add_penalties(const LevelOptions& options, qubo::Problem& problem);

/// Warns if the given penalty is not proved to suffice.
void warn_of_penalties(const PenaltyCheck& check,
                       const LevelOptions& options,
                       Context& context);

}  // namespace oa::app

namespace oa {

template <>
struct EnumNames<app::LevelScale> {
  static constexpr std::array kAll{"none", "image", "query"};
};

}  // namespace oa
