#include "oa/solve/program/relaxation.h"

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

std::vector<double> costs_of(const WholeProgram& p) {
  std::vector<double> costs;
  for (const Whole cost : p.linear) {
    costs.push_back(static_cast<double>(cost));
  }
  return costs;
}

LinearProgram::Rows in_doubles(std::span<const qubo::ProgramRow> rows) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  LinearProgram::Rows all;
  for (const qubo::ProgramRow& row : rows) {
    for (const auto& [i, weight] : row.entries) {
      all.columns.push_back(i);
      all.entries.push_back(static_cast<double>(weight));
    }
    all.begins.push_back(static_cast<int>(all.columns.size()));
    all.low.push_back(row.low > row.least ? static_cast<double>(row.low) : -kNoLimit);
    all.high.push_back(row.high < row.most ? static_cast<double>(row.high) : kNoLimit);
  }
  return all;
}

}  // namespace

LinearRelaxation::LinearRelaxation(const WholeProgram& program)
    : program_(program),
      shift_(price_digits(program)),
      linear_(costs_of(program)) {
  add(program.rows);
}

void LinearRelaxation::add(std::vector<qubo::ProgramRow> cuts) {
  linear_.add(in_doubles(cuts));
  std::ranges::move(cuts, std::back_inserter(rows_));
}

void LinearRelaxation::drop_slack(std::span<const double> x) {
  constexpr double kRoom = 1e-4;
  std::vector<int> dropped;
  for (std::size_t k = program_.rows.size(); k < rows_.size(); ++k) {
    double sum = 0.0;
    for (const auto& [i, weight] : rows_[k].entries) {
      sum += static_cast<double>(weight) * x[at(i)];
    }
    if (sum < static_cast<double>(rows_[k].high) - kRoom) {
      dropped.push_back(static_cast<int>(k));
    }
  }
  linear_.remove(dropped);
  for (auto k = dropped.rbegin(); k != dropped.rend(); ++k) {
    rows_.erase(rows_.begin() + *k);
  }
}

void LinearRelaxation::set_cutoff(Whole best) {
  constexpr double kExact = 1e-9;
  const auto value = static_cast<double>(best);
  linear_.set_cutoff(value + kExact * std::abs(value) -
                     0.9 * static_cast<double>(program_.step));
}

Relaxed LinearRelaxation::solve(std::span<const std::uint8_t> values,
                                const Stop& stop) {
  std::vector<double> low;
  std::vector<double> high;
  for (const std::uint8_t value : values) {
    low.push_back(value == 1 ? 1.0 : 0.0);
    high.push_back(value == 0 ? 0.0 : 1.0);
  }
  linear_.set_bounds(low, high);
  const LinearProgram::Outcome outcome = linear_.solve(stop);
  Relaxed relaxed;
  relaxed.solved = outcome == LinearProgram::Outcome::Solved;
  relaxed.function = lagrangian(program_.linear, rows_, linear_.prices(), shift_);
  relaxed.least = relaxed.function.minimum(values);
  relaxed.x.assign(linear_.x().begin(), linear_.x().end());
  relaxed.empty = outcome == LinearProgram::Outcome::Infeasible && excluded(values);
  return relaxed;
}

/// True if the linear program's ray proves infeasibility:
/// with zero costs, the minimum of the Lagrangian function is positive (Farkas).
bool LinearRelaxation::excluded(std::span<const std::uint8_t> values) const {
  constexpr int kDigits = 50;
  std::vector<double> ray = linear_.ray();
  double most = 0.0;
  for (const double price : ray) {
    most = std::max(most, std::abs(price));
  }
  if (!(most > 0.0) || !std::isfinite(most)) {
    return false;
  }
  const std::vector<Whole> nothing(program_.linear.size());
  return std::ranges::any_of(std::array{1.0 / most, -1.0 / most}, [&](double scale) {
    std::vector<double> prices = ray;
    for (double& price : prices) {
      price *= scale;
    }
    return lagrangian(nothing, rows_, prices, kDigits).minimum(values) > 0;
  });
}

Whole LinearRelaxation::rounded(Whole least) const {
  const Whole step = program_.step << shift_;
  const Whole steps = least / step + (least % step > 0 ? 1 : 0);
  return steps * program_.step;
}

double LinearRelaxation::in_units(Whole least) const {
  return std::ldexp(static_cast<double>(least), -shift_);
}

}  // namespace oa::solve
