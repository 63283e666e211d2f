#pragma once

#include "oa/solve/method/settings.h"
#include "oa/solve/method/solver.h"

#include <limits>
#include <span>
#include <string_view>

namespace oa::solve {

struct PolynomialTask;  // polynomial/task.h

/// A method that users can choose.
struct Method {
  std::string_view name;
  SettingSet settings;       ///< settings that it uses
  SolverMaker* make_solver;  ///< for problems of an image
  PartSolver* solve_part;    ///< for single problems
  /// The largest single problem, after presolving.
  int most_variables = std::numeric_limits<int>::max();
  /// True if users may choose the method for continuous coefficients,
  /// which solve_real() handles.
  bool takes_continuous = false;
  /// True if reads of a single problem are independent, so that users can save them.
  bool samples = false;
  bool searches_levels = false;  ///< solve_levels() first tries a proof in levels
  bool proves = false;           ///< finds proofs of optimality
  int turn_in_auto = 0;  ///< order among heuristics of `auto` for images; 0: none
  /// Solves polynomials directly; null: the method solves quadratic functions only.
  Result (*solve_polynomial)(const PolynomialTask& task,
                             const Rng& rng,
                             const Stop& stop) = nullptr;
};

/// All methods, the default first.
[[nodiscard]] std::span<const Method> methods();
[[nodiscard]] const Method& default_method();

/// The method that only proves optima.
[[nodiscard]] const Method& exact_method();

/// Returns the method called `name`, or null.
[[nodiscard]] const Method* find_method(std::string_view name);

}  // namespace oa::solve
