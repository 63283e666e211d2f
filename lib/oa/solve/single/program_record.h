#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/polynomial.h"
#include "oa/solve/single/model_settings.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace oa::solve {

/// The best x of a polynomial with constraints, its bound and its proof, while solvers
/// of the same problem run one after the other.  Reports improvements.
class ProgramRecord {
 public:
  /// Begins with the initial states.  `p` and `settings` must outlive this.
  ProgramRecord(const qubo::Polynomial& p, const ModelSettings& settings);

  /// Stores x if it is the best feasible x, or if no feasible x is known.
  /// Returns true if it is the best.
  bool offer(std::span<const std::uint8_t> x, std::string_view method);

  /// Records a proof that the best x is optimal, or that no x is feasible.
  void prove(std::string_view by);

  /// Takes a bound of the minimised function.  Returns false if it is no better.
  bool raise_bound(const TwoDoubles& bound);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  [[nodiscard]] bool feasible() const { return feasible_; }
  [[nodiscard]] bool proved() const { return !proved_by_.empty(); }
  /// True if the target is reached.
  [[nodiscard]] bool enough() const { return enough_; }
  /// The bound of the minimised function.
  [[nodiscard]] double bound() const { return bound_; }

  /// The value of x for the minimised function.
  [[nodiscard]] ExactSum minimised(std::span<const std::uint8_t> x) const;
  /// The best value minus a bound, both of the minimised function.
  [[nodiscard]] double gap_to(const ExactSum& bound) const;
  /// 1, or -1 if the function is maximised.
  [[nodiscard]] double sign() const {
    return p_.sense == qubo::Sense::Max ? -1.0 : 1.0;
  }

  [[nodiscard]] ModelResult result(bool stopped) const;

 private:
  void report();

  const qubo::Polynomial& p_;
  const ModelSettings& settings_;
  std::vector<std::uint8_t> x_;
  bool feasible_ = false;
  bool found_by_initial_ = false;
  std::string_view method_ = "greedy";
  std::string_view proved_by_;  // empty: no proof
  std::atomic<bool> enough_ = false;
  double bound_ = -std::numeric_limits<double>::infinity();
  std::optional<double> reported_;
};

}  // namespace oa::solve
