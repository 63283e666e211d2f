#pragma once

#include "oa/base/field.h"
#include "oa/cim/match.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::cim {

/// What to do if a task has no result.
enum class Missing : std::uint8_t {
  Fail,      ///< write nothing
  Skip,      ///< leave out its images
  Exact,     ///< solve the submitted matrix
  Original,  ///< solve the original problem
};

/// The energy that decides which of a task's solutions is best.
enum class Choose : std::uint8_t { Submitted, Original };

struct AssembleSettings {
  Missing missing = Missing::Fail;
  Choose choose = Choose::Submitted;
  int top = 1;
};

/// The change of x'Qx of a submitted matrix by one level of one coupling.
inline constexpr double kLevelEnergy = 4.0;

/// The results of a task compared with its optima.  Energies are sums over its
/// problems.
struct TaskOutcome {
  std::int64_t task = -1;
  std::int64_t runs = 0;  ///< 0: no results, and the rest is meaningless

  // In the original problems, to be minimised:
  double energy = 0.0;  ///< of the solutions
  double bound = 0.0;   ///< lower bound; -inf: unknown
  double gap = 0.0;     ///< of the solutions to the bound
  bool proved = true;   ///< the bound is the optimum

  // In the submitted matrix:
  bool submitted_proved = true;  ///< its optima are proved; then:
  double submitted_gap = 0.0;    ///< of the best result to the optimum
  std::int64_t hits = 0;         ///< runs that returned an optimum

  std::int64_t distinct = 0;       ///< different solutions of all runs
  double best_submitted = 0.0;     ///< the lowest submitted energy
  double submitted_optimum = 0.0;  ///< if proved
  std::int64_t best_hits = 0;      ///< runs that returned it
  std::optional<double> run_ms;    ///< mean, if a report of every run says it

  /// Runs that reached the goal: the optimum if it is proved, else the best energy.
  [[nodiscard]] std::int64_t reached() const {
    return submitted_proved ? hits : best_hits;
  }

  /// True if all optima are proved.
  [[nodiscard]] bool checked() const { return runs > 0 && proved && submitted_proved; }
};

/// The solutions of an image, assembled from the results of its tasks.
struct Assembled {
  qubo::SolvedProblem solution;
  std::vector<double> submitted;      ///< (n): x'Qx of the chosen solution in its block
  std::vector<std::int64_t> from;     ///< (n): the task; -1: not from a machine
  bool missing = false;               ///< some problem has no solution
  std::int64_t broken_solutions = 0;  ///< with copies of a variable that disagree
  std::int64_t broken_variables = 0;  ///< of all these
  std::vector<TaskOutcome> tasks;     ///< of this image, by number
};

/// Assembles the solutions of an image.  `matcher` must have all results.  Proves the
/// optima of tasks with results, to measure gaps.
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
