#include "oa/solve/exact/box/penalty.h"

#include "oa/base/index.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/box/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::solve {
namespace {

// Covers the relative rounding error of the sum of a row.
constexpr double kRoundingMargin = 1.0 + 1e-9;
constexpr double kMinShare = 1.0 / 64.0;

/// The penalty that one coefficient needs, in levels.
double needed(double slope, double shift, int top) {
  double most = 0.0;
  double sum = top;
  for (int s = 2; s <= top; ++s) {
    sum += top - s + 1;  // sum of the s largest weights
    const double beyond = sum - top;
    const double gain = beyond * (0.5 * shift * beyond - slope);
    most = std::max(most, gain / (0.5 * s * (s - 1)));
  }
  return most;
}

float rounded_up(double x) {
  const auto near = static_cast<float>(x);
  return double{near} < x ? std::nextafter(near, std::numeric_limits<float>::max())
                          : near;
}

}  // namespace

std::vector<float> proved_penalties(const qubo::Problem& p) {
  const qubo::LevelCode code = qubo::code_of(p);
  if (!code.has_penalty()) {
    return {};
  }
  const bool one_hot = p.encoding == Encoding::OneHot;
  const int top = p.levels - 1;
  const double largest_weight = code.weights().back();
  const qubo::Matrix j(p.m, p.j);
  const Convex convex = convexified(j);
  std::vector<float> all;
  for (int q = 0; q < p.n; ++q) {
    const double steps = p.steps[at(q)];
    const auto h = p.query(q);
    for (int i = 0; i < p.size(q); ++i) {
      double pull = 0.0;  // of other coefficients, towards a higher level
      double magnitude = std::abs(steps * double{h[at(i)]}) + top * j(i, i);
      for (int k = 0; k < p.size(q); ++k) {
        pull += k == i ? 0.0 : std::min(0.0, j(i, k)) * top;
        magnitude += std::abs(j(i, k)) * top;
      }
      const double slope = steps * double{h[at(i)]} + top * j(i, i) + pull -
                           magnitude * (kRoundingMargin - 1.0);
      const double shift = num::elements(convex.shift.data())[i];
      const double least = kMinShare * largest_weight *
                           std::max(std::abs(steps * double{h[at(i)]}),
                                    largest_weight * std::abs(j(i, i)));
      const double levels =
          std::max(one_hot ? needed(slope, shift, top) * kRoundingMargin : 0.0, least);
      all.push_back(rounded_up(levels / (steps * steps)));
    }
  }
  return all;
}

}  // namespace oa::solve
