#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::solve {

/// A 0/1 vector with its energy: the nearest double and the remainder.
struct Solution {
  double energy = 0.0;
  std::vector<std::uint8_t> x;
  double rest = 0.0;

  Solution() = default;
  Solution(const TwoDoubles& value, std::vector<std::uint8_t> vector)
      : energy(value.value),
        x(std::move(vector)),
        rest(value.rest) {}

  [[nodiscard]] TwoDoubles value() const { return {energy, rest}; }
};

/// Orders solutions by energy, then lexicographically by x.
[[nodiscard]] bool operator<(const Solution& a, const Solution& b);

/// Up to this size, a proof of a single problem finds the lexicographically smallest
/// optimum. search_spins(), search_cuts() and proofs by blocks find any optimum.
inline constexpr int kMaxOrdered = 300;

/// The result of a solver.
struct Result {
  std::vector<Solution> best;  ///< distinct, best first; at least one
  /// A lower bound of all energies, -inf if unknown.
  /// At most best[0].energy, and equal to best[0].energy if proved optimal.
  double bound = -std::numeric_limits<double>::infinity();
  /// ProvedOptimal covers all of `best`: no missing x comes before the last solution.
  /// For single problems above kMaxOrdered: no x has a lower energy.
  qubo::Status status = qubo::Status::BestFound;
  std::int64_t nodes = 0;  ///< of the search tree; 0 without a tree
  /// The method that found best[0], if the solver tries several; else empty.
  std::string_view method;
  /// The method that proved the optimum; valid if `status` is ProvedOptimal.
  std::string_view proof;
};

/// The best distinct solutions, up to a capacity.
class Pool {
 public:
  explicit Pool(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  /// Inserts (energy, x) if it is new and among the best; returns true if inserted.
  bool insert(const TwoDoubles& energy, std::span<const std::uint8_t> x);

  /// The energy above which no solution is wanted; see Settings::window.
  [[nodiscard]] double limit(double window) const;

  /// If true, insert() refuses solutions after (worst().energy, worst().x).
  [[nodiscard]] bool full() const { return best_.size() == capacity_; }
  [[nodiscard]] const Solution& worst() const { return best_.back(); }
  [[nodiscard]] const std::vector<Solution>& best() const { return best_; }
  [[nodiscard]] std::vector<Solution> take_best() { return std::move(best_); }

 private:
  std::size_t capacity_;
  std::vector<Solution> best_;
};

}  // namespace oa::solve
