#include "oa/solve/single/relaxed.h"

#include "oa/base/index.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// The multiplier of an equation with which flips of `known` that raise its sum gain as
/// much as those that lower it, at most.
double slope(const qubo::ProgramRow& row,
             std::span<const std::uint8_t> known,
             std::span<const double> gain) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double raising = kNone;
  double lowering = kNone;
  for (const auto& [i, weight] : row.entries) {
    const double each = gain[at(i)] / std::abs(static_cast<double>(weight));
    double& most = (known[at(i)] == 0) == (weight > 0) ? raising : lowering;
    most = std::max(most, each);
  }
  return raising == kNone || lowering == kNone ? 0.0 : 0.5 * (raising - lowering);
}

}  // namespace

RelaxedProgram::RelaxedProgram(const qubo::Program& program,
                               std::span<const std::uint8_t> known)
    : program_(program) {
  qubo::Polynomial objective;
  objective.n = program.n;
  objective.monomials = program.objective;
  objective_ = qubo::reduced(objective, "objective").f;
  std::vector<double> gain = gains(program, known);
  std::vector<int> equations(at(program.n));  // number of equations of each variable
  for (const qubo::ProgramRow& row : program.rows) {
    for (const auto& [i, weight] : row.entries) {
      equations[at(i)] += equation(row) ? 1 : 0;
    }
  }
  for (const qubo::ProgramRow& row : program.rows) {
    // Slopes of several equations of a variable would count a gain twice.
    const bool alone = std::ranges::all_of(row.entries, [&](const auto& entry) {
      return equations[at(entry.variable)] == 1;
    });
    const bool has_slope = equation(row) && alone && !row.always();
    slopes_.push_back(has_slope ? short_number(slope(row, known, gain)) : 0.0);
    for (const auto& [i, weight] : row.entries) {
      const double more = slopes_.back() * static_cast<double>(weight);
      gain[at(i)] += known[at(i)] == 0 ? -more : more;
    }
  }
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
  const auto add = [&](std::int32_t i, std::int32_t j, double price, Whole product) {
    for (const double part : exact_parts(price, product)) {
      if (part != 0.0) {
        terms.push_back({i, j, part});
      }
    }
  };
  const auto add_constant = [&](double price, Whole product) {
    for (const double part : exact_parts(price, product)) {
      constant.add(part);
    }
  };
  const auto add_line = [&](const qubo::ProgramRow& row, double price, Whole limit) {
    add_constant(-price, limit);
    for (const auto& [i, weight] : row.entries) {
      add(i, i, price, weight);
    }
  };
  const auto add_square = [&](const qubo::ProgramRow& row, double price) {
    if (price == 0.0) {
      return;
    }
    const Whole right = row.high;
    add_constant(price, right * right);
    for (std::size_t a = 0; a < row.entries.size(); ++a) {
      const auto& [i, whole] = row.entries[a];
      const Whole weight = whole;
      add(i, i, price, weight * (weight - 2 * right));
      for (std::size_t b = 0; b < a; ++b) {
        add(row.entries[b].variable, i, price, 2 * weight * row.entries[b].weight);
      }
    }
  };
  for (std::size_t k = 0; k < prices_.size(); ++k) {
    const qubo::ProgramRow& row = program_.rows[k];
    const double price = prices_[k];
    if (equation(row)) {
      add_line(row, slopes_[k], row.high);
      add_square(row, price);
    } else {
      const bool above = row.high < row.most;  // the upper limit is violated
      add_line(row, above ? price : -price, above ? row.high : row.low);
    }
  }
  f.add(terms);
  f.add_constant(constant);
  return f;
}

bool RelaxedProgram::learn(std::span<const std::uint8_t> x, double below) {
  constexpr double kLess = 0.8;  // shortens the next step
  std::vector<double> missed;
  double squares = 0.0;  // squared misses of inequalities, divided by their sizes
  double errors = 0.0;   // squared misses of equations
  for (const qubo::ProgramRow& row : program_.rows) {
    std::int64_t sum = 0;
    for (const auto& [i, weight] : row.entries) {
      sum += x[at(i)] != 0 ? weight : 0;
    }
    const auto size = static_cast<double>(row.most - row.least + 1);
    const bool above = row.high < row.most;
    missed.push_back(static_cast<double>(above ? sum - row.high : row.low - sum));
    if (equation(row)) {
      errors += missed.back() * missed.back();
    } else if (!row.always()) {
      squares += missed.back() * missed.back() / size;
    }
  }
  bool changed = false;
  for (std::size_t k = 0; k < prices_.size(); ++k) {
    const qubo::ProgramRow& row = program_.rows[k];
    const double before = prices_[k];
    if (row.always() || missed[k] == 0.0) {
      continue;
    }
    if (equation(row)) {
      prices_[k] = short_number(std::max(2.0 * before, before + below / errors));
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

bool RelaxedProgram::has_inequalities() const {
  return std::ranges::any_of(program_.rows, [](const qubo::ProgramRow& row) {
    return !row.always() && !equation(row);
  });
}

void RelaxedProgram::restore() {
  prices_ = kept_;
}

}  // namespace oa::solve
