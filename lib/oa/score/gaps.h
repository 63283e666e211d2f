#pragma once

#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::score {

/// A solver's results for the problems of an image.
struct SolvedImage {
  std::uint64_t problem = 0;  ///< fingerprint; it must be equal for all solvers
  std::vector<double> energy;
  std::vector<qubo::Status> status;
  double seconds = 0.0;  ///< solving time of all problems
};

[[nodiscard]] SolvedImage solved_image(const qubo::SolvedProblem& solution);

/// A solver's gaps to proven optima.
struct Gaps {
  std::int64_t optimal = 0;   ///< problems solved to the optimum
  std::vector<double> above;  ///< relative gaps of other problems, ascending
  double seconds = 0.0;       ///< solving time of all problems
};

/// Compares solvers on problems whose optimum at least one of them proved.
class GapCount {
 public:
  explicit GapCount(std::size_t solvers) : gaps_(solvers) {}

  /// Counts the problems of one image; `solvers` has each solver's results.
  void add_image(std::span<const SolvedImage* const> solvers);

  /// Number of problems without a proven optimum, which are not counted elsewhere.
  [[nodiscard]] std::int64_t unproved() const { return unproved_; }
  /// Moves out the gaps of each solver.
  [[nodiscard]] std::vector<Gaps> take_gaps();

 private:
  std::vector<Gaps> gaps_;
  std::int64_t unproved_ = 0;
};

}  // namespace oa::score
