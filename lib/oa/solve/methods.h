#pragma once

#include "oa/solve/method/settings.h"
#include "oa/solve/method/solver.h"

#include <limits>
#include <span>
#include <string_view>

namespace oa::solve {

/// A way to solve problems, for users to choose from.
struct Method {
  std::string_view name;
  SettingSet settings;       ///< those it uses
  SolverMaker* make_solver;  ///< for the problems of an image, which share a matrix
  PartSolver* solve_part;    ///< for single problems
  /// Of a single problem, once presolved.
  int most_variables = std::numeric_limits<int>::max();
  /// Users may choose it for continuous coefficients, too, which solve_real() finds.
  bool takes_continuous = false;
  /// A single problem's reads are independent, and each can be told.
  bool samples = false;
  bool searches_levels = false;  ///< solve_levels() tries a proof in levels first
  bool proves = false;           ///< that a solution is optimal
};

/// All methods, the default first.
[[nodiscard]] std::span<const Method> methods();
[[nodiscard]] const Method& default_method();

/// The method that proves and does nothing else.
[[nodiscard]] const Method& exact_method();

/// The method called `name`, or null.
[[nodiscard]] const Method* find_method(std::string_view name);

}  // namespace oa::solve
