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

/// The solutions of an image, put together from what came back for its tasks.
struct Assembled {
  qubo::ImageSolution solution;
  std::vector<double> submitted;   ///< (n): x'Qx of the chosen solution in its block
  std::vector<std::int64_t> from;  ///< (n): its task; -1: it is not from a machine
  bool missing = false;            ///< some problem has no solution

  // Of the tasks of this image that have results:
  std::int64_t unchecked = 0;  ///< those whose optima are too hard to prove
  std::int64_t checked = 0;
  std::int64_t best_is_optimal = 0;  ///< those whose best solution is proved optimal
  double gap = 0.0;                  ///< the sum of their gaps to the optima
  double gap_max = 0.0;              ///< the largest gap
  /// Those whose answer is proved optimal in the problem as it was before rounding.
  std::int64_t optimal_in_original = 0;
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
