#pragma once

#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A problem made smaller without losing its minimum, and the way back.
///
/// A variable goes where its value, or what it adds to the minimum for each value of at
/// most two neighbours, is known: the sign of its term is the same whatever its
/// neighbours are (first-order persistency), it has one or two neighbours, or roof
/// duality tells (of sparse problems).  What is left falls apart into components.  A
/// step that would round a number is not taken, so that minima are the same to the last
/// bit.
class Presolve {
 public:
  /// A component of what is left.
  struct Part {
    qubo::Quadratic f;
    std::vector<int> variables;  ///< their numbers in the whole problem
  };

  /// `f` is to be minimised over 0/1 vectors.  With `symmetric`, f(x) = f(1 - x): one
  /// variable of each component is then fixed.  O(pairs) for sparse problems, and as
  /// many maximum flows as help.
  Presolve(const qubo::Quadratic& f, bool symmetric);

  /// Largest first.  Their minima and offset() add up to that of the whole.
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] double offset() const { return offset_; }

  /// Fills in the variables that no part has; those of parts are there.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// x[variable] is 1 if constant + first * x[j] + second * x[k] < 0.
  struct Step {
    int variable;
    int j;
    int k;
    double constant;
    double first;
    double second;
  };

  class Reduction;

  std::vector<Part> parts_;
  std::vector<Step> steps_;
  double offset_ = 0.0;
};

}  // namespace oa::solve
