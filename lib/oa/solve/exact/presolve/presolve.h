#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Which minima presolving must keep.
enum class Ties : std::uint8_t {
  Any,       ///< one of them
  Smallest,  ///< the lexicographically smallest one
};

/// Reduces a problem without losing its minimum, and restores solutions.
///
/// Removes a variable if its value, or its contribution to the minimum for each value
/// of its neighbours, is known.  This holds if its term has one sign (first-order
/// persistency), if it has at most two neighbours, or if roof duality decides it (in
/// sparse problems).  Computes in integers, so that minima are exact.
class Presolve {
 public:
  struct Options {
    /// f(x) = f(1 - x), so that one variable of each component can be fixed.
    bool symmetric = false;
    Ties ties = Ties::Any;
  };

  /// `f` is minimised over 0/1 vectors.  The numbers of f are multiples of 2^unit, with
  /// a sum below 2^(106 + unit).  O(pairs) for sparse problems, plus maximum flows.
  /// If stopped, do not use the object.
  Presolve(const qubo::Quadratic& f,
           int unit,
           const Options& options,
           const Stop& stop = {});

  /// True if presolving pays off.  False only for large problems if a check of each
  /// variable finds few to remove.  O(pairs).
  [[nodiscard]] static bool pays(const qubo::Quadratic& f, const Options& options);

  /// The function of the remaining variables; its minimum equals that of the whole.
  [[nodiscard]] const qubo::Quadratic& rest() const { return rest_; }
  /// The indices of the remaining variables in the whole problem, ascending.
  [[nodiscard]] const std::vector<int>& variables() const { return variables_; }

  /// Sets the removed variables in x; the remaining variables of x are set.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// x[variable] = 1 if constant + first * x[j] + second * x[k] < 0, else 0.
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
