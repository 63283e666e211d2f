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

/// A vector of 0s and 1s and its energy: the nearest double and what that leaves over.
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

/// The order of solutions, which makes them unique: lower energy first, then the
/// lexicographically smaller x.
[[nodiscard]] bool operator<(const Solution& a, const Solution& b);

/// Of single problems with at most so many variables, the smallest of several optima is
/// found where one is proved, unless by search_spins(), search_cuts() or block by
/// block; of larger ones any.
inline constexpr int kMostOrdered = 300;

/// What a solver found.
struct Result {
  std::vector<Solution> best;  ///< Distinct, best first; at least one.
  /// No x has a lower energy, -inf where nothing is proven.  Never above
  /// best[0].energy; equal to it, without any tolerance, where that is proved optimal.
  double bound = -std::numeric_limits<double>::infinity();
  /// ProvedOptimal speaks for all of `best`: no other x comes before its last one, or,
  /// of single problems where that is said, none has a lower energy.
  qubo::Status status = qubo::Status::BestFound;
  std::int64_t nodes = 0;  ///< Of the search tree; 0 without one.
  /// Which method found best[0], from the one that tries several; else empty.
  std::string_view method;
  /// What proved the best optimal; set where `status` may say so, and read only then.
  std::string_view proof;
};

/// The best distinct solutions seen, as many as asked for.
class Pool {
 public:
  explicit Pool(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  /// Takes (energy, x) in if it is new and among the best.
  bool insert(const TwoDoubles& energy, std::span<const std::uint8_t> x);

  /// What comes after (worst().energy, worst().x) would not be taken in.
  [[nodiscard]] bool full() const { return best_.size() == capacity_; }
  [[nodiscard]] const Solution& worst() const { return best_.back(); }
  [[nodiscard]] const std::vector<Solution>& best() const { return best_; }
  [[nodiscard]] std::vector<Solution> take_best() { return std::move(best_); }

 private:
  std::size_t capacity_;
  std::vector<Solution> best_;
};

}  // namespace oa::solve
