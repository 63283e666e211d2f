#include "app/pose/level_posing.h"

#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/solve/exact/box/penalty.h"
#include "oa/solve/stream/real.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace oa::app {
namespace {

constexpr int kScales = 16;  // tries multiples of 1/16 of the largest coefficient

float steps_of(int levels, double top) {
  return static_cast<float>((levels - 1) / top);
}

/// The continuous optima of a problem, and their energies after rounding to levels.
class Relaxed {
 public:
  Relaxed(qubo::Problem problem, const std::string& where)
      : all_(solve::solve_real(
            std::move(problem),
            {.limit_s = std::numeric_limits<double>::infinity(), .times = false},
            where)) {}

  [[nodiscard]] double largest(int query) const {
    double most = 0.0;
    for (const float x : all_.problem.row(all_.real_x, query)) {
      most = std::max(most, std::abs(double{x}));
    }
    return most;
  }

  /// For t = 1 ... kScales: the energy of the query after rounding its optimum to
  /// `levels` levels up to `range` t / kScales, on both sides of 0.
  [[nodiscard]] std::vector<double> energies(int query,
                                             int levels,
                                             double range) const {
    const auto x = all_.problem.row(all_.real_x, query);
    std::vector<double> all;
    std::vector<float> rounded(x.size());
    const auto top = static_cast<float>(levels - 1);
    for (int t = 1; t <= kScales; ++t) {
      const float steps = steps_of(levels, range * t / kScales);
      std::ranges::transform(x, rounded.begin(), [&](float v) {
        const float level = std::min(top, std::round(std::abs(v) * steps));
        return std::copysign(level / steps, v);
      });
      all.push_back(qubo::energy(all_.problem, query, rounded));
    }
    return all;
  }

 private:
  qubo::SolvedProblem all_;
};

/// Returns the t of the lowest energy, the largest t if several energies are lowest.
int best_scale(const std::vector<double>& energies) {
  const auto least = std::min_element(energies.rbegin(), energies.rend());
  return kScales - static_cast<int>(least - energies.rbegin());
}

/// Chooses the top level of each query.
std::vector<double> tops_of(const qubo::Problem& p,
                            LevelScale scale,
                            int levels,
                            const std::string& where) {
  std::vector<double> tops(at(p.n), 1.0);
  const bool lasso = p.coefficients == Coefficients::Lasso;
  if (!lasso && scale == LevelScale::None) {
    return tops;
  }
  qubo::Problem relaxed = p;
  relaxed.coefficients = lasso ? Coefficients::Lasso : Coefficients::Continuous;
  const Relaxed optima(std::move(relaxed), where);
  if (lasso) {
    for (int i = 0; i < p.n; ++i) {
      tops[at(i)] = optima.largest(i);
    }
    if (scale != LevelScale::Query) {
      std::ranges::fill(tops, std::ranges::max(tops));
    }
    std::ranges::replace(tops, 0.0, 1.0);  // all coefficients are 0
  }
  std::vector<double> sums(kScales);
  for (int i = 0; i < p.n && scale != LevelScale::None; ++i) {
    const auto energies = optima.energies(i, levels, tops[at(i)]);
    if (scale == LevelScale::Query) {
      tops[at(i)] *= best_scale(energies) / double{kScales};
    }
    for (int t = 0; t < kScales; ++t) {
      sums[at(t)] += energies[at(t)];
    }
  }
  if (scale == LevelScale::Image) {
    std::ranges::transform(tops, tops.begin(), [&](double top) {
      return top * best_scale(sums) / kScales;
    });
  }
  return tops;
}

/// Doubles the variables: x = x+ - x- with x+, x- >= 0,
/// where |x|_1 is the sum of x+ and x-. The values are followed by their negatives.
qubo::Problem with_negatives(const qubo::Problem& p) {
  constexpr std::array kSigns{1.0F, -1.0F};
  qubo::Problem twice = p;
  twice.m = 2 * p.m;
  twice.l1 = 0.0F;
  twice.j.clear();
  twice.h.clear();
  twice.v.clear();
  for (int a = 0; a < p.m; ++a) {
    const auto row = std::span(p.j).subspan(at(a) * at(p.m), at(p.m));
    const auto value = std::span(p.v).subspan(at(a) * at(p.d), at(p.d));
    for (const float sign : kSigns) {
      for (const float with : row) {
        twice.j.push_back(sign * with);
        twice.j.push_back(-sign * with);
      }
      for (const float v : value) {
        twice.v.push_back(sign * v);
      }
    }
  }
  for (const float h : p.h) {
    for (const float sign : kSigns) {
      twice.h.push_back(sign * h + p.l1);
    }
  }
  for (int& size : twice.sizes) {
    size *= 2;
  }
  return twice;
}

}  // namespace

void PenaltyCheck::add(const PenaltyCheck& other) {
  problems += other.problems;
  needed = std::max(needed, other.needed);
}

PenaltyCheck pose_levels(const model::Config& config,
                         const LevelOptions& options,
                         const std::string& where,
                         qubo::Problem& p) {
  LevelScale scale{};
  (void)parse_field(options.scale, scale);
  const std::vector<double> tops = tops_of(p, scale, config.levels, where);
  if (p.coefficients == Coefficients::Lasso) {
    p = with_negatives(p);
  }
  p.coefficients = Coefficients::Levels;
  p.levels = config.levels;
  p.encoding = config.encoding;
  for (const double top : tops) {
    p.steps.push_back(steps_of(config.levels, top));
  }
  return add_penalties(options, p);
}

PenaltyCheck add_penalties(const LevelOptions& options, qubo::Problem& p) {
  p.penalty = solve::proved_penalties(p);
  PenaltyCheck check;
  if (!options.penalty || p.penalty.empty()) {
    return check;
  }
  const auto penalty = static_cast<float>(*options.penalty);
  for (int i = 0; i < p.n; ++i) {
    const float needed = std::ranges::max(p.row(p.penalty, i));
    check.problems += needed > penalty ? 1 : 0;
    check.needed = std::max(check.needed, double{needed});
  }
  std::ranges::fill(p.penalty, penalty);
  return check;
}

void warn_of_penalties(const PenaltyCheck& check,
                       const LevelOptions& options,
                       Context& context) {
  if (check.problems > 0) {
    context.warn("penalty " + format(*options.penalty) +
                 " is not proved to suffice in " + format_grouped(check.problems) +
                 " problems (" + format(static_cast<float>(check.needed)) +
                 " is, in all)");
  }
}

}  // namespace oa::app
