#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Which minima presolving may lose.
enum class Ties : std::uint8_t {
  Any,       ///< all but one
  Smallest,  ///< all but the lexicographically smallest
};

/// A problem made smaller without losing its minimum, and the way back.
///
/// A variable goes where its value, or what it adds to the minimum for each value of at
/// most two neighbours, is known: the sign of its term is the same whatever its
/// neighbours are (first-order persistency), it has one or two neighbours, or roof
/// duality tells (of sparse problems).  What is left falls apart into components.  All
/// in whole numbers, so that minima are the same to the last bit.
class Presolve {
 public:
  /// A component of what is left.
  struct Part {
    qubo::Quadratic f;
    std::vector<int> variables;  ///< their numbers in the whole problem
  };

  struct Options {
    /// f(x) = f(1 - x): a variable of each component may be fixed.
    bool symmetric = false;
    Ties ties = Ties::Any;
  };

  /// `f` is to be minimised over 0/1 vectors; its numbers are multiples of 2^unit and
  /// together below 2^106 of them.  O(pairs) for sparse problems, and as many maximum
  /// flows as help.  Once `stop` says so it is of no use.
  Presolve(const qubo::Quadratic& f,
           int unit,
           const Options& options,
           const Stop& stop = {});

  /// Whether there is much to gain, as far as a look at each variable tells: false only
  /// for problems so large that a copy in whole numbers is a burden.  O(pairs).
  [[nodiscard]] static bool pays(const qubo::Quadratic& f, const Options& options);

  /// Largest first.  Their minima and offset() add up to that of the whole.
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] TwoDoubles offset() const { return offset_; }

  /// Fills in the variables that no part has; those of parts are there.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// x[variable] is 1 if constant + first * x[j] + second * x[k] < 0.
  struct Step {
    int variable;
    int j;
    int k;
    Whole constant;
    Whole first;
    Whole second;
  };

  class Reduction;

  std::vector<Part> parts_;
  std::vector<Step> steps_;
  TwoDoubles offset_;
};

}  // namespace oa::solve
