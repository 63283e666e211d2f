#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/penalty_state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A lower bound of the final payment.  Treats costs of literals and terms as
/// constraints: if unit propagation finds a contradiction, one constraint in its core
/// must be paid.  The least cost in the core is added to the bound and subtracted from
/// each cost of the core (Li, Manya and Planes, "Exploiting unit propagation to compute
/// lower bounds in branch and bound Max-SAT solvers", 2005).
class PenaltyBound {
 public:
  /// `state` and `stop` must outlive this.
  PenaltyBound(const PenaltyState& state, const Stop& stop);

  /// True if the bound is at most `most`.  If stopped, the bound is weaker.
  [[nodiscard]] bool compute(Whole most);

  /// The bound, or a number above `most` if compute() returned false.
  [[nodiscard]] Whole bound() const { return bound_; }
  /// If compute() returned true: literals of every x with a value of at most `most`.
  [[nodiscard]] std::span<const Literal> forced() const { return forced_; }
  /// The numbers read so far.
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  /// An implied literal, with the least cost if the literal is false.
  struct Implied {
    Literal literal;
    std::int32_t term;  // term that implies it; kUnary: its own cost
    Whole strength;
  };
  static constexpr std::int32_t kUnary = -1;

  void begin();
  [[nodiscard]] bool propagate();
  [[nodiscard]] bool use(std::size_t term, Literal literal);
  [[nodiscard]] bool imply(const Implied& implied);
  [[nodiscard]] bool has(Literal literal) const;
  void explain(std::int32_t term, int but);
  void explain_variable(int variable);
  void take_core();

  const PenaltyState& state_;
  Pace pace_;
  std::vector<Whole> term_;    // remaining costs of terms
  std::vector<Whole> unary_;   // of each variable: cost of the worse value
  std::vector<Literal> good_;  // better literal of each free variable
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> open_unless_;  // open terms of kind UnlessAll
  std::vector<std::int32_t> place_;        // index of each variable in implied_, or -1
  std::vector<Implied> implied_;
  std::vector<std::int32_t> core_terms_;
  std::vector<std::int32_t> core_variables_;
  std::vector<std::uint32_t> seen_;  // round that last explained each variable
  std::vector<int> why_;             // variables to explain
  std::uint32_t round_ = 0;
  std::vector<Literal> forced_;
  Whole bound_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
