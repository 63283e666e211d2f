#pragma once

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

/// Makes a problem smaller without losing its minimum, and restores solutions.
///
/// Removes a variable if its value is known, or its contribution to the minimum for
/// each value of at most two neighbours: its term has one sign for all values of its
/// neighbours (first-order persistency), it has at most two neighbours, or roof duality
/// decides it (in sparse problems).  Computes in whole numbers, so that minima are
/// exact.
class Presolve {
 public:
  struct Options {
    /// f(x) = f(1 - x): a variable of each component may be fixed.
    bool symmetric = false;
    Ties ties = Ties::Any;
  };

  /// `f` is minimised over 0/1 vectors; its numbers are multiples of 2^unit with a sum
  /// below 2^106 of them.  O(pairs) for sparse problems, plus maximum flows.  If
  /// stopped, the object is of no use.
  Presolve(const qubo::Quadratic& f,
           int unit,
           const Options& options,
           const Stop& stop = {});

  /// True if presolving is worth its time.  False only for large problems in which a
  /// check of each variable finds few to remove.  O(pairs).
  [[nodiscard]] static bool pays(const qubo::Quadratic& f, const Options& options);

  /// The function of the variables that are left; its minimum is that of the whole.
  [[nodiscard]] const qubo::Quadratic& rest() const { return rest_; }
  /// The numbers of these variables in the whole, rising.
  [[nodiscard]] const std::vector<int>& variables() const { return variables_; }

  /// Sets the removed variables of the whole x; the others are already set.
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

  qubo::Quadratic rest_;
  std::vector<int> variables_;
  std::vector<Step> steps_;
};

}  // namespace oa::solve
