#pragma once

#include "oa/qubo/problem.h"

#include <cstdint>
#include <vector>

namespace oa::score {

/// Counts the values that queries choose: coefficients that are not 0.
class Sparsity {
 public:
  void add(const qubo::SolvedProblem& solution);

  [[nodiscard]] std::int64_t queries() const { return queries_; }
  /// The share of nonzero coefficients.  NaN without queries, as the next three.
  [[nodiscard]] double share() const;
  [[nodiscard]] double mean() const;  ///< mean number of values chosen by a query
  [[nodiscard]] double quantile(double p) const;
  /// For each query index, the mean number of values over images with this query.
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
