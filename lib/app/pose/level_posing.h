#pragma once

#include "oa/base/field.h"
#include "oa/model/config.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// For what the top level is chosen, which loses least.
enum class LevelScale : std::uint8_t {
  None,   ///< it is 1; of the lasso the largest coefficient of the image
  Image,  ///< one for all queries of an image
  Query,  ///< for each query
};

/// How problems are posed whose coefficients have levels.
struct LevelOptions {
  std::string encoding = "binary";
  std::optional<double> penalty;  ///< empty: what is proved to suffice
  std::string scale = "none";
};

/// What was found out about penalties that are said.
struct PenaltyCheck {
  std::int64_t problems = 0;  ///< with a coefficient whose penalty is not proved
  double needed = 0.0;        ///< the largest that is proved

  void add(const PenaltyCheck& other);
};

/// Gives a problem the levels of a model: steps and penalties.  One of the lasso, whose
/// coefficients may be negative, gets the negatives of its values as further values, so
/// that levels from 0 up are enough.  Throws InputError, which begins with `where`, if
/// it has to be solved for a scale and it is not convex.
PenaltyCheck pose_levels(const model::Config& config,
                         const LevelOptions& options,
                         const std::string& where,
                         qubo::Problem& problem);

}  // namespace oa::app

namespace oa {

template <>
struct EnumNames<app::LevelScale> {
  static constexpr std::array kAll{"none", "image", "query"};
};

}  // namespace oa
