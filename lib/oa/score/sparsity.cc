#include "oa/score/sparsity.h"

#include "oa/qubo/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::score {
namespace {

constexpr double kNoQueries = std::numeric_limits<double>::quiet_NaN();

/// Counts the coefficients of query i that are not 0.
std::int64_t nonzeros(const qubo::SolvedProblem& s, int i) {
  const qubo::Problem& p = s.problem;
  const auto is_used = [](auto v) { return v != 0; };
  if (!s.real_x.empty()) {
    return std::ranges::count_if(p.row(s.real_x, i), is_used);
  }
  if (p.coefficients == Coefficients::Levels) {
    return std::ranges::count_if(qubo::levels_of(qubo::code_of(p), p.x_row(s.x, i)),
                                 is_used);
  }
  return std::ranges::count_if(p.row(s.x, i), is_used);
}

}  // namespace

void Sparsity::add(const qubo::SolvedProblem& s) {
  const auto n = static_cast<std::size_t>(s.problem.n);
  const auto m = static_cast<std::size_t>(s.problem.m);
  places_.resize(std::max(places_.size(), n));
  of_count_.resize(std::max(of_count_.size(), m + 1));
  for (std::size_t i = 0; i < n; ++i) {
    const auto query = static_cast<int>(i);
    const std::int64_t count = nonzeros(s, query);
    ++places_[i].images;
    places_[i].chosen += count;
    ++of_count_[static_cast<std::size_t>(count)];
    chosen_ += count;
  }
  queries_ += s.problem.n;
  coefficients_ += static_cast<std::int64_t>(s.problem.variables());
}

double Sparsity::share() const {
  return coefficients_ == 0
             ? kNoQueries
             : static_cast<double>(chosen_) / static_cast<double>(coefficients_);
}

double Sparsity::mean() const {
  return queries_ == 0 ? kNoQueries
                       : static_cast<double>(chosen_) / static_cast<double>(queries_);
}

double Sparsity::quantile(double p) const {
  if (queries_ == 0) {
    return kNoQueries;
  }
  const double wanted = std::ceil(p * static_cast<double>(queries_));
  std::int64_t below = 0;
  std::size_t count = 0;
  while (static_cast<double>(below += of_count_[count]) < std::max(wanted, 1.0)) {
    ++count;
  }
  return static_cast<double>(count);
}

std::vector<double> Sparsity::by_query() const {
  std::vector<double> means;
  for (const Place& place : places_) {
    means.push_back(static_cast<double>(place.chosen) /
                    static_cast<double>(place.images));
  }
  return means;
}

}  // namespace oa::score
