#include "oa/score/measured.h"

#include <cmath>

namespace oa::score {

std::optional<double> BenchChart::Line::power() const {
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (const Point& p : points) {
    mean_x += std::log(p.tokens);
    mean_y += std::log(p.ms);
  }
  const auto count = static_cast<double>(points.size());
  mean_x /= count;
  mean_y /= count;
  double product = 0.0;
  double square = 0.0;
  for (const Point& p : points) {
    const double x = std::log(p.tokens) - mean_x;
    product += x * (std::log(p.ms) - mean_y);
    square += x * x;
  }
  constexpr double kRounding = 1e-12;
  return square > kRounding ? std::optional(product / square) : std::nullopt;
}

}  // namespace oa::score
