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

/// How the top level is chosen: by the lowest energies after rounding.
enum class LevelScale : std::uint8_t {
  None,   ///< 1; for the lasso the largest coefficient of the image
  Image,  ///< one for all queries of an image
  Query,  ///< for each query
};

/// How problems with levels are posed.
struct LevelOptions {
  std::string encoding = "binary";
  std::optional<double> penalty;  ///< empty: large enough, with proof
  std::string scale = "none";
};

/// True if a given penalty is proved to be large enough.
struct PenaltyCheck {
  std::int64_t problems = 0;  ///< with a coefficient without that proof
  double needed = 0.0;        ///< the penalty that is proved for all

  void add(const PenaltyCheck& other);
};

/// Gives a problem the steps and penalties of a model's levels.  A problem of the
/// lasso, whose coefficients may be negative, also gets the negatives of its values, so
/// that levels from 0 up are enough.  Throws InputError, which begins with `where`, if
/// a scale is to be chosen for a problem that is not convex.
PenaltyCheck pose_levels(const model::Config& config,
                         const LevelOptions& options,
                         const std::string& where,
                         qubo::Problem& problem);

/// Gives a problem with levels the penalties of its encoding.
PenaltyCheck add_penalties(const LevelOptions& options, qubo::Problem& problem);

/// Warns if the penalty of the options is not proved to suffice.
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
