#pragma once

#include "oa/base/field.h"
#include "oa/cim/match.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::cim {

/// What to do about problems whose task has no result.
enum class Missing : std::uint8_t {
  Fail,      ///< write nothing
  Skip,      ///< leave their images out
  Exact,     ///< solve the submitted matrix
  Original,  ///< solve the problem as it is in the stream
};

/// By which energy the best of a task's solutions is chosen.
enum class Choose : std::uint8_t { Submitted, Original };

struct AssembleSettings {
  Missing missing = Missing::Fail;
  Choose choose = Choose::Submitted;
  int top = 1;
};

/// How far x'Qx of a submitted matrix moves by one level of one coupling.
inline constexpr double kLevelEnergy = 4.0;

/// What came back for a task, and what is optimal.  Energies are sums over its
/// problems.
struct TaskOutcome {
  std::int64_t task = -1;
  std::int64_t runs = 0;  ///< 0: nothing came back; then the rest means nothing

  // In the problems as they were before rounding, to be minimised:
  double energy = 0.0;  ///< of the answers
  double bound = 0.0;   ///< no answers have less; -inf: not known
  double gap = 0.0;     ///< of the answers to the bound
  bool proved = true;   ///< the bound is the optimum

  // In the submitted matrix:
  bool submitted_proved = true;  ///< its optima are; then:
  double submitted_gap = 0.0;    ///< of the best that came back to an optimum
  std::int64_t hits = 0;         ///< runs that returned an optimum

  /// Whether all optima are proved.
  [[nodiscard]] bool checked() const { return runs > 0 && proved && submitted_proved; }
};

/// The solutions of an image, put together from what came back for its tasks.
struct Assembled {
  qubo::SolvedProblem solution;
  std::vector<double> submitted;   ///< (n): x'Qx of the chosen solution in its block
  std::vector<std::int64_t> from;  ///< (n): its task; -1: it is not from a machine
  bool missing = false;            ///< some problem has no solution
  std::vector<TaskOutcome> tasks;  ///< of this image, by their numbers
};

/// `matcher` must have seen all results.  To count gaps, this proves the optima of all
/// tasks of the image that have results.
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
