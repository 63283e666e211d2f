#include "app/level_posing.h"

#include "oa/base/index.h"
#include "oa/solve/exact/penalty.h"
#include "oa/solve/real.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace oa::app {
namespace {

constexpr int kScales = 16;  // tops of 1/16 to 1 are tried

/// For each top t / kScales, t = 1 ... kScales: the energy of a query's continuous
/// optimum `x` once that is rounded to the nearest of so many levels.
std::vector<double> energies_of_tops(const qubo::ImageProblem& p,
                                     int query,
                                     std::span<const float> x,
                                     int levels) {
  std::vector<double> all;
  std::vector<float> rounded(x.size());
  for (int t = 1; t <= kScales; ++t) {
    const float steps =
        static_cast<float>(levels - 1) * kScales / static_cast<float>(t);
    const auto top = static_cast<float>(levels - 1);
    std::ranges::transform(x, rounded.begin(), [&](float v) {
      return std::min(top, std::round(v * steps)) / steps;
    });
    all.push_back(qubo::energy(p, query, rounded));
  }
  return all;
}

/// The best top, the largest of equals.
int best_top(const std::vector<double>& energies) {
  const auto least = std::min_element(energies.rbegin(), energies.rend());
  return kScales - static_cast<int>(least - energies.rbegin());
}

std::vector<int> tops_of(const qubo::ImageProblem& posed,
                         LevelScale scale,
                         int levels,
                         const std::string& where) {
  qubo::ImageProblem relaxed = posed;
  relaxed.coefficients = Coefficients::Continuous;
  const qubo::ImageSolution s = solve::solve_real(
      std::move(relaxed),
      {.limit_s = std::numeric_limits<double>::infinity(), .times = false},
      where);
  std::vector<int> tops;
  std::vector<double> sums(kScales);
  for (int i = 0; i < s.problem.n; ++i) {
    const auto energies =
        energies_of_tops(s.problem, i, s.problem.row(s.real_x, i), levels);
    tops.push_back(best_top(energies));
    for (int t = 0; t < kScales; ++t) {
      sums[at(t)] += energies[at(t)];
    }
  }
  if (scale == LevelScale::Image) {
    std::ranges::fill(tops, best_top(sums));
  }
  return tops;
}

}  // namespace

void PenaltyCheck::add(const PenaltyCheck& other) {
  problems += other.problems;
  needed = std::max(needed, other.needed);
}

PenaltyCheck pose_levels(const model::Config& config,
                         const LevelOptions& options,
                         const std::string& where,
                         qubo::ImageProblem& p) {
  LevelScale scale{};
  (void)parse_field(options.scale, scale);
  std::vector<int> tops(at(p.n), kScales);
  if (scale != LevelScale::None) {
    tops = tops_of(p, scale, config.levels, where);
  }
  p.coefficients = Coefficients::Levels;
  p.levels = config.levels;
  p.encoding = config.encoding;
  for (const int top : tops) {
    p.steps.push_back(static_cast<float>((config.levels - 1) * kScales) /
                      static_cast<float>(top));
  }
  p.penalty = solve::proved_penalties(p);
  PenaltyCheck check;
  if (!options.penalty || p.penalty.empty()) {
    return check;
  }
  const auto said = static_cast<float>(*options.penalty);
  for (int i = 0; i < p.n; ++i) {
    const float needed = std::ranges::max(p.row(p.penalty, i));
    check.problems += needed > said ? 1 : 0;
    check.needed = std::max(check.needed, double{needed});
  }
  std::ranges::fill(p.penalty, said);
  return check;
}

}  // namespace oa::app
