#include "oa/solve/single/relaxed.h"

#include "oa/base/index.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

bool equation(const qubo::ProgramRow& row) {
  return row.low == row.high;
}

/// Rounds to few bits, so that sums of multiples are exact.
double short_number(double value) {
  constexpr double kDigits = 256.0;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::ceil(mantissa * kDigits) / kDigits, exponent);
}

/// Returns price * product in exact parts.
/// `price` is a short_number(), `product` is below 2^120.
std::array<double, 3> exact_parts(double price, Whole product) {
  constexpr int kBits = 40;
  std::array<double, 3> parts{};
  for (int k = 0; k < 3; ++k, product >>= kBits) {
    const Whole low =
        k < 2 ? product & ((Whole{1} << kBits) - 1) : product;  // the last has a sign
    parts[at(k)] = price * std::ldexp(static_cast<double>(low), k * kBits);
  }
  return parts;
}

/// The decrease of the objective by flipping each variable.
std::vector<double> gains(const qubo::Program& p, std::span<const std::uint8_t> x) {
  std::vector<double> all(at(p.n));
  for (const qubo::Monomial& m : p.objective) {
    const auto zero = [&](std::int32_t i) { return x[at(i)] == 0; };
    const auto zeros = std::ranges::count_if(m.variables, zero);
    for (const std::int32_t i : m.variables) {
      if (zeros == 0) {
        all[at(i)] += m.weight;
      } else if (zeros == 1 && zero(i)) {
        all[at(i)] -= m.weight;
      }
    }
  }
  return all;
}

}  // namespace

RelaxedProgram::RelaxedProgram(const qubo::Program& program,
                               std::span<const std::uint8_t> known)
    : program_(program) {
  qubo::Polynomial objective;
  objective.n = program.n;
  objective.monomials = program.objective;
  objective_ = qubo::reduced(objective, "objective").f;
  const std::vector<double> gain = gains(program, known);
  for (const qubo::ProgramRow& row : program.rows) {
    double price = 0.0;
    for (const auto& [i, weight] : row.entries) {
      const auto a = std::abs(static_cast<double>(weight));
      const bool misses = (known[at(i)] == 0) == (weight > 0) ? row.high < row.most
                                                              : row.low > row.least;
      if (misses) {
        price = std::max(price, gain[at(i)] / (equation(row) ? a * a : a));
      }
    }
    prices_.push_back(row.always() ? 0.0 : short_number(price));
  }
  keep();
}

qubo::Quadratic RelaxedProgram::function() const {
  qubo::Quadratic f = objective_;
  std::vector<qubo::Term> terms;
  ExactSum constant;
  for (std::size_t k = 0; k < prices_.size(); ++k) {
    const qubo::ProgramRow& row = program_.rows[k];
    const double price = prices_[k];
    if (price == 0.0) {
      continue;
    }
    if (!equation(row)) {
      const bool above = row.high < row.most;  // the upper limit is violated
      const double sign = above ? price : -price;
      for (const double part : exact_parts(-sign, above ? row.high : row.low)) {
        constant.add(part);
      }
      for (const auto& [i, weight] : row.entries) {
        terms.push_back({i, i, sign * static_cast<double>(weight)});
      }
      continue;
    }
    const Whole right = row.high;
    for (const double part : exact_parts(price, right * right)) {
      constant.add(part);
    }
    const auto add = [&](std::int32_t i, std::int32_t j, Whole product) {
      for (const double part : exact_parts(price, product)) {
        if (part != 0.0) {
          terms.push_back({i, j, part});
        }
      }
    };
    for (std::size_t a = 0; a < row.entries.size(); ++a) {
      const auto& [i, whole] = row.entries[a];
      const Whole weight = whole;
      add(i, i, weight * (weight - 2 * right));
      for (std::size_t b = 0; b < a; ++b) {
        add(row.entries[b].variable, i, 2 * weight * row.entries[b].weight);
      }
    }
  }
  f.add(terms);
  f.add_constant(constant);
  return f;
}

bool RelaxedProgram::learn(std::span<const std::uint8_t> x, double below) {
  constexpr double kLess = 0.8;  // shortens the next step
  std::vector<double> missed;
  double squares = 0.0;
  for (const qubo::ProgramRow& row : program_.rows) {
    std::int64_t sum = 0;
    for (const auto& [i, weight] : row.entries) {
      sum += x[at(i)] != 0 ? weight : 0;
    }
    const auto size = static_cast<double>(row.most - row.least + 1);
    const bool above = row.high < row.most;
    missed.push_back(static_cast<double>(above ? sum - row.high : row.low - sum));
    squares +=
        row.always() || equation(row) ? 0.0 : missed.back() * missed.back() / size;
  }
  bool changed = false;
  for (std::size_t k = 0; k < prices_.size(); ++k) {
    const qubo::ProgramRow& row = program_.rows[k];
    const double before = prices_[k];
    if (row.always() || missed[k] == 0.0) {
      continue;
    }
    if (equation(row)) {
      prices_[k] = before > 0.0 ? 2.0 * before : short_number(std::max(below, 1e-300));
    } else {
      const auto size = static_cast<double>(row.most - row.least + 1);
      const double step = pace_ * below * missed[k] / (squares * size);
      const double next = before + step;
      prices_[k] = next > 0.0 ? short_number(next) : 0.0;
    }
    changed = changed || prices_[k] != before;
  }
  pace_ *= kLess;
  return changed;
}

void RelaxedProgram::restore() {
  prices_ = kept_;
}

}  // namespace oa::solve
