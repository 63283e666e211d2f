#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"
#include "oa/solve/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string_view>

namespace oa::solve {

/// What a user may ask of a method.  Each uses what concerns it.
struct Settings {
  int top = 1;  ///< How many of the lowest distinct solutions to return.
  double time_limit_s = std::numeric_limits<double>::infinity();  ///< Per problem.
  std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max();
};

/// Solves  min 1/2 x'Jx + h'x over {0,1}^n  for one h after the other.  Owns scratch
/// memory, so one per thread; refers to the matrix it was made for.
using Solver = std::function<Result(
    std::span<const double> h, const Rng& rng, const std::stop_token& stop)>;

/// A way to solve problems, for users to choose from.
struct Method {
  std::string_view name;
  std::string_view summary;
  /// Does once what all problems with this matrix share.
  Solver (*prepare)(const qubo::Matrix& j, const Settings& settings);
};

/// All methods, the default first.
[[nodiscard]] std::span<const Method> methods();

/// The method called `name`, or null.
[[nodiscard]] const Method* find_method(std::string_view name);

// One file each.
[[nodiscard]] Solver exact(const qubo::Matrix& j, const Settings& settings);

}  // namespace oa::solve
