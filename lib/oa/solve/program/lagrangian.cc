#include "oa/solve/program/lagrangian.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>

namespace oa::solve {

Whole Lagrangian::minimum(std::span<const std::uint8_t> values) const {
  Whole sum = -sides;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    sum += values[i] == 0   ? 0
           : values[i] == 1 ? slopes[i]
                            : std::min<Whole>(0, slopes[i]);
  }
  return sum;
}

int price_digits(const WholeProgram& p) {
  return std::clamp(96 - p.digits, 4, 30);
}

Lagrangian lagrangian(std::span<const Whole> costs,
                      std::span<const qubo::ProgramRow> rows,
                      std::span<const double> prices,
                      int shift) {
  Lagrangian l;
  for (const Whole cost : costs) {
    l.slopes.push_back(cost << shift);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const qubo::ProgramRow& row = rows[k];
    const bool usable = prices[k] > 0.0 ? row.high < row.most : row.low > row.least;
    if (!usable || !std::isfinite(prices[k])) {
      continue;
    }
    const auto range = static_cast<double>(row.most - row.least + 1);
    const double limit = 0x1p120 / (range * static_cast<double>(rows.size()));
    const auto price =
        static_cast<Whole>(std::clamp(std::ldexp(prices[k], shift), -limit, limit));
    l.sides += price * (price < 0 ? row.low : row.high);
    for (const auto& [i, weight] : row.entries) {
      l.slopes[at(i)] += price * weight;
    }
  }
  return l;
}

}  // namespace oa::solve
