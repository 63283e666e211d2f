#pragma once

#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::score {

/// What a solver found for the problems of an image.
struct SolvedImage {
  std::uint64_t problem = 0;  ///< its fingerprint: the same for all solvers
  std::vector<double> energy;
  std::vector<qubo::Status> status;
  double seconds = 0.0;  ///< spent on all
};

[[nodiscard]] SolvedImage solved_image(const qubo::SolvedProblem& solution);

/// How far a solver stays above proven optima.
struct Gaps {
  std::int64_t optimal = 0;   ///< problems solved to the optimum
  std::vector<double> above;  ///< the relative gaps of the others, ascending
  double seconds = 0.0;       ///< spent on all
};

/// Compares solvers by problems whose optimum at least one of them has proved.
class GapCount {
 public:
  explicit GapCount(std::size_t solvers) : gaps_(solvers) {}

  /// Counts one image; `solvers` holds what each solver found for it.
  void add_image(std::span<const SolvedImage* const> solvers);

  /// Problems left out: no solver proved their optimum.
  [[nodiscard]] std::int64_t unproved() const { return unproved_; }
  /// Returns the gaps of each solver, and leaves none.
  [[nodiscard]] std::vector<Gaps> take_gaps();

 private:
  std::vector<Gaps> gaps_;
  std::int64_t unproved_ = 0;
};

}  // namespace oa::score
