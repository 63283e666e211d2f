#pragma once

#include "oa/base/field.h"
#include "oa/cim/match.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::cim {

/// What to do for a task without results.
enum class Missing : std::uint8_t {
  Fail,      ///< throw an error, write nothing
  Skip,      ///< leave out images of the task
  Exact,     ///< solve the submitted matrix
  Original,  ///< solve the original problem
};

/// The energy that decides the best solution of a task.
enum class Choose : std::uint8_t { Submitted, Original };

struct AssembleSettings {
  Missing missing = Missing::Fail;
  Choose choose = Choose::Submitted;
  int top = 1;
};

/// The change of x'Qx of the submitted matrix if one coupling changes by one level.
inline constexpr double kLevelEnergy = 4.0;

/// The results of a task compared with its optima.
/// Energies are sums over the problems of the task.
struct TaskOutcome {
  std::int64_t task = -1;
  std::int64_t runs = 0;  ///< 0: no results, other members are unset

  // In the original problems, which are minimised:
  double energy = 0.0;  ///< of the solutions
  double bound = 0.0;   ///< lower bound; -inf: unknown
  double gap = 0.0;     ///< solutions' energy - bound
  bool proved = true;   ///< the bound is the optimum

  // In the submitted matrix:
  bool submitted_proved = true;  ///< optima are proved; then:
  double submitted_gap = 0.0;    ///< best result - optimum
  std::int64_t hits = 0;         ///< runs that returned an optimum

  std::int64_t distinct = 0;       ///< distinct solutions of all runs
  double best_submitted = 0.0;     ///< the lowest submitted energy
  double submitted_optimum = 0.0;  ///< if proved
  std::int64_t best_hits = 0;      ///< runs that returned best_submitted
  std::optional<double> run_ms;    ///< mean; empty unless every run has a report of it

  /// Runs that reached the target: the optimum if proved, else the best energy.
  [[nodiscard]] std::int64_t reached() const {
    return submitted_proved ? hits : best_hits;
  }

  /// True if the optima of both problems are proved.
  [[nodiscard]] bool checked() const { return runs > 0 && proved && submitted_proved; }
};

/// The solutions of an image, taken from the results of its tasks.
struct Assembled {
  qubo::SolvedProblem solution;
  std::vector<double> submitted;      ///< (n): x'Qx of the chosen solution's block
  std::vector<std::int64_t> from;     ///< (n): task number; -1: not from a machine
  bool missing = false;               ///< some problem has no solution
  std::int64_t broken_solutions = 0;  ///< solutions with a variable whose copies differ
  std::int64_t broken_variables = 0;  ///< such variables in all solutions
  std::vector<TaskOutcome> tasks;     ///< outcomes of its tasks, by number
};

/// Assembles the solutions of an image.  `matcher` must have received all results.
/// Proves the optima of tasks with results, to measure gaps.
[[nodiscard]] Assembled assemble(const machine::SubmittedImage& image,
                                 const machine::Submission& submission,
                                 const Matcher& matcher,
                                 const AssembleSettings& settings);

}  // namespace oa::cim

namespace oa {

template <>
struct EnumNames<cim::Missing> {
  static constexpr std::array kAll{"fail", "skip", "exact", "original"};
};
template <>
struct EnumNames<cim::Choose> {
  static constexpr std::array kAll{"submitted", "original"};
};

}  // namespace oa
