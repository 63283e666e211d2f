#include "oa/solve/program/whole_program.h"

#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

/// The largest k such that `weight`, which is not 0, is a multiple of 2^k.
int unit_of(double weight) {
  constexpr int kDigits = std::numeric_limits<double>::digits;
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(weight), &exponent);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, kDigits));
  return exponent - kDigits + std::countr_zero(whole);
}

/// a / b rounded down, for b > 0.
std::int64_t floored(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

void divide(Whole& step, Whole weight) {
  Whole a = weight < 0 ? -weight : weight;
  while (a != 0) {
    step = std::exchange(a, step % a);
  }
}

}  // namespace

WholeProgram without_objective(const qubo::Program& p) {
  WholeProgram whole;
  whole.linear.resize(at(p.n));
  for (const qubo::ProgramRow& row : p.rows) {
    if (!row.always()) {
      whole.rows.push_back(row);
    }
  }
  return whole;
}

std::optional<WholeProgram> in_whole_numbers(const qubo::Program& p) {
  constexpr int kMaxDigits = 90;
  WholeProgram whole = without_objective(p);
  if (p.objective.empty()) {
    return whole;
  }
  double total = 0.0;
  whole.unit = std::numeric_limits<int>::max();
  for (const qubo::Monomial& m : p.objective) {
    whole.unit = std::min(whole.unit, unit_of(m.weight));
    total += std::abs(m.weight);
  }
  whole.digits = std::ilogb(total) + 2 - whole.unit;  // `total` is rounded
  if (whole.digits > kMaxDigits) {
    return std::nullopt;
  }
  Whole step = 0;
  for (const qubo::Monomial& m : p.objective) {
    const Whole weight = in_units(m.weight, whole.unit);
    if (m.variables.empty()) {
      whole.constant += weight;
    } else if (m.variables.size() == 1) {
      whole.linear[at(m.variables[0])] += weight;
    } else {
      whole.products.push_back({m.variables, weight});
    }
    divide(step, m.variables.empty() ? 0 : weight);
  }
  whole.step = step == 0 ? 1 : step;
  return whole;
}

WholeProgram linearised(WholeProgram p) {
  for (const auto& [variables, weight] : std::exchange(p.products, {})) {
    const auto z = static_cast<std::int32_t>(p.size());
    const std::int64_t count = std::ssize(variables);
    p.linear.push_back(weight);
    qubo::ProgramRow all{.least = -1, .most = count, .low = -1, .high = count - 1};
    for (const std::int32_t i : variables) {
      all.entries.push_back({i, 1});
      if (weight < 0) {
        p.rows.push_back({{{i, -1}, {z, 1}}, -1, 1, -1, 0});
      }
    }
    if (weight > 0) {
      all.entries.push_back({z, -1});
      p.rows.push_back(std::move(all));
    }
  }
  return p;
}

qubo::ProgramRow tightened(qubo::ProgramRow row) {
  const bool upper = row.high < row.most;
  const std::int64_t excess = upper ? row.most - row.high : row.low - row.least;
  if (upper == (row.low > row.least)) {  // none or two limits
    return row;
  }
  std::int64_t common = 0;
  row.least = row.most = 0;
  for (auto& [i, weight] : row.entries) {
    weight = std::clamp(weight, -excess, excess);
    common = std::gcd(common, weight);
    (weight < 0 ? row.least : row.most) += weight;
  }
  row.low = upper ? row.least : row.least + excess;
  row.high = upper ? row.most - excess : row.most;
  if (common <= 1) {
    return row;
  }
  for (auto& [i, weight] : row.entries) {
    weight /= common;
  }
  row.least /= common;
  row.most /= common;
  row.low = upper ? row.least : -floored(-row.low, common);
  row.high = upper ? floored(row.high, common) : row.most;
  return tightened(std::move(row));
}

Whole value_of(const WholeProgram& p, std::span<const std::uint8_t> x) {
  Whole value = 0;
  for (int i = 0; i < p.size(); ++i) {
    value += x[at(i)] != 0 ? p.linear[at(i)] : 0;
  }
  for (const WholeProgram::Product& product : p.products) {
    const bool all =
        std::ranges::all_of(product.variables, [&](int i) { return x[at(i)] != 0; });
    value += all ? product.weight : 0;
  }
  return value;
}

bool feasible(std::span<const qubo::ProgramRow> rows, std::span<const std::uint8_t> x) {
  return std::ranges::all_of(rows, [&](const qubo::ProgramRow& row) {
    std::int64_t sum = 0;
    for (const auto& [i, weight] : row.entries) {
      sum += x[at(i)] != 0 ? weight : 0;
    }
    return row.low <= sum && sum <= row.high;
  });
}

}  // namespace oa::solve
