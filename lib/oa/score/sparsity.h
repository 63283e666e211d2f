#pragma once

#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::score {

/// Counts the values that queries choose: coefficients that are not 0.
class Sparsity {
 public:
  void add(const qubo::SolvedProblem& solution);

  [[nodiscard]] std::int64_t queries() const { return queries_; }
  /// The share of all coefficients; NaN without queries, like the next three.
  [[nodiscard]] double share() const;
  [[nodiscard]] double mean() const;  ///< values of a query
  [[nodiscard]] double quantile(double p) const;
  /// For each number of a query in its image: the mean over the images that have it.
  [[nodiscard]] std::vector<double> by_query() const;

 private:
  struct Place {
    std::int64_t images = 0;
    std::int64_t chosen = 0;
  };

  std::int64_t queries_ = 0;
  std::int64_t coefficients_ = 0;
  std::int64_t chosen_ = 0;
  std::vector<std::int64_t> of_count_;  // of_count_[k]: queries that choose k values
  std::vector<Place> places_;
};

}  // namespace oa::score
