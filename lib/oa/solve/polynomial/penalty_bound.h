#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/penalty_state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A lower bound of the final payment.  Costs of literals and terms are taken for
/// constraints; where unit propagation leads to a contradiction, one of the constraints
/// behind it must be paid for: the least of their costs joins the bound, and leaves
/// each (Li, Manya and Planes, "Exploiting unit propagation to compute lower bounds in
/// branch and bound Max-SAT solvers", 2005).
class PenaltyBound {
 public:
  /// Both must outlive this.
  PenaltyBound(const PenaltyState& state, const Stop& stop);

  /// True if the bound is at most `most`.  Where it is stopped, the bound is weaker.
  [[nodiscard]] bool compute(Whole most);

  /// Above `most` after compute() was false.
  [[nodiscard]] Whole bound() const { return bound_; }
  /// After compute() was true: literals that hold in every x of at most `most`.
  [[nodiscard]] std::span<const Literal> forced() const { return forced_; }
  /// Numbers that were touched so far.
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  /// A literal and what it costs at least to have it false.
  struct Implied {
    Literal literal;
    std::int32_t term;  // that implies it; kUnary: its variable's own cost
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
  std::vector<Whole> term_;    // costs that are left
  std::vector<Whole> unary_;   // of variables: of the worse value beside the better
  std::vector<Literal> good_;  // the better literal of each free variable
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> open_unless_;  // open terms of that kind
  std::vector<std::int32_t> place_;        // of each variable in implied_, or -1
  std::vector<Implied> implied_;
  std::vector<std::int32_t> core_terms_;
  std::vector<std::int32_t> core_variables_;
  std::vector<std::uint32_t> seen_;  // the last round that explained a variable
  std::vector<int> why_;             // variables to explain
  std::uint32_t round_ = 0;
  std::vector<Literal> forced_;
  Whole bound_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
