#include "oa/solve/single/simple_bound.h"

#include "oa/base/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace oa::solve {

double simple_bound(const qubo::Quadratic& f, double sign) {
  const auto least = [sign, spins = f.vartype == qubo::Vartype::Spin](double weight) {
    return spins ? -std::abs(weight) : std::min(0.0, sign * weight);
  };
  ExactSum sum;
  sum.add(sign * f.offset);
  for (const double h : f.linear) {
    sum.add(least(h));
  }
  const auto sums = f.couplings().sums();
  if (sums.empty()) {
    std::vector<double> terms;
    for (int i = 0; i < f.size(); ++i) {
      if (f.couplings().dense()) {
        terms.assign(f.linear.size(), 0.0);
        f.row(i).each([least, out = terms.data()](std::int32_t other, double weight) {
          out[other] = least(weight);
        });
        sum.add(std::span<const double>(terms).subspan(static_cast<std::size_t>(i)));
        continue;
      }
      f.row(i).each([&](std::int32_t other, double weight) {
        sum.add(other > i ? least(weight) : 0.0);
      });
    }
  }
  qubo::Pairs::RowSum all;  // counts every pair twice; below 2^53
  for (const qubo::Pairs::RowSum& row : sums) {
    all.negative += row.negative;
    all.positive += row.positive;
  }
  sum.add(least(0.5 * f.factor() * static_cast<double>(all.negative)));
  sum.add(least(0.5 * f.factor() * static_cast<double>(all.positive)));
  for (const qubo::Term& t : f.rests()) {
    sum.add(t.first == qubo::kConstant ? sign * t.weight : -std::abs(t.weight));
  }
  return sum.rounded_down();
}

}  // namespace oa::solve
