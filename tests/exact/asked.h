#pragma once

#include "exact/problem_text.h"
#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/single/solve_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oa::exact {

/// The options of one run.
struct Asked {
  solve::ModelSettings settings;
  std::uint64_t seed = 1;
  bool trace = false;

  /// Nothing but a target ends the search before it has its proof.
  [[nodiscard]] bool unlimited() const;
  /// Nothing in it depends on the clock.
  [[nodiscard]] bool repeatable() const;
};

/// Random options, only those that the solver uses.
[[nodiscard]] Asked random_options(Rng& rng, const Stated& stated);

/// The answer, with the sense of the problem as stated.
struct Answer {
  struct One {
    double energy = 0.0;
    Mask x = 0;
    friend bool operator==(const One&, const One&) = default;
  };
  std::vector<One> best;
  double bound = 0.0;
  qubo::Status status = qubo::Status::BestFound;
  bool any_optimum = false;    ///< the proof's method may choose any of several optima
  std::vector<double> trace;   ///< energies as they were found
  std::vector<double> bounds;  ///< bounds as they were found

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Asks the library.
[[nodiscard]] Answer solve(const qubo::Quadratic& f, Asked asked);

/// Asks the command line tool at `tool` about a file; nothing where it refused it with
/// status 3.  Throws std::runtime_error on output that is not an answer.
[[nodiscard]] std::optional<Answer> run_tool(const std::string& tool,
                                             const ProblemText& text,
                                             const Asked& asked);

/// The options as they are typed, without a file.
[[nodiscard]] std::string command_line(const ProblemText& text, const Asked& asked);

}  // namespace oa::exact
