#include "oa/qubo/levels.h"

#include "oa/base/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

namespace oa::qubo {
namespace {

std::vector<int> weights_of(Encoding encoding, int levels) {
  const int top = levels - 1;
  std::vector<int> weights;
  switch (encoding) {
    case Encoding::Binary:
      for (int left = top, next = 1; left > 0; next *= 2) {
        weights.push_back(std::min(next, left));
        left -= weights.back();
      }
      break;
    case Encoding::OneHot:
      weights.resize(static_cast<std::size_t>(top));
      std::iota(weights.begin(), weights.end(), 1);
      break;
    case Encoding::Unary:
    case Encoding::DomainWall: weights.assign(static_cast<std::size_t>(top), 1); break;
  }
  return weights;
}

/// Returns the spins of coefficient k in a query's row.
std::span<const std::uint8_t> part(const LevelCode& code,
                                   std::span<const std::uint8_t> y,
                                   std::size_t k) {
  const auto s = static_cast<std::size_t>(code.spins());
  return y.subspan(k * s, s);
}

/// Rounds `penalty` up to a multiple of a unit in which sums with the problem's numbers
/// (floats times small whole numbers) are exact.
double coarse(double penalty, double largest) {
  if (penalty == 0.0) {
    return 0.0;
  }
  const double unit = std::ldexp(1.0, std::ilogb(std::max(largest, penalty)) - 20);
  return std::ceil(penalty / unit) * unit;
}

/// Adds the penalty of one coefficient, whose first spin is `first`:
/// y_a y_b costs j_ab, and y_a costs j_aa / 2.
void add_penalty(Encoding encoding,
                 double penalty,
                 std::size_t first,
                 std::size_t spins,
                 std::size_t stride,
                 std::vector<double>& j) {
  for (std::size_t a = 0; a < spins; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double pair = encoding == Encoding::OneHot ? penalty
                          : b + 1 == a                 ? -penalty
                                                       : 0.0;
      j[(first + a) * stride + first + b] += pair;
      j[(first + b) * stride + first + a] += pair;
    }
    if (encoding == Encoding::DomainWall && a > 0) {
      j[(first + a) * stride + first + a] += 2.0 * penalty;
    }
  }
}

}  // namespace

int spins_of(Encoding encoding, int levels) {
  return encoding == Encoding::Binary
             ? static_cast<int>(std::bit_width(static_cast<unsigned>(levels - 1)))
             : levels - 1;
}

LevelCode::LevelCode(Encoding encoding, int levels)
    : encoding_(encoding),
      levels_(levels),
      weights_(weights_of(encoding, levels)) {}

int LevelCode::sum(std::span<const std::uint8_t> y) const {
  int total = 0;
  for (std::size_t a = 0; a < weights_.size(); ++a) {
    total += y[a] != 0 ? weights_[a] : 0;
  }
  return total;
}

int LevelCode::level(std::span<const std::uint8_t> y) const {
  return std::min(sum(y), levels_ - 1);
}

int LevelCode::violations(std::span<const std::uint8_t> y) const {
  int count = 0;
  if (encoding_ == Encoding::OneHot) {
    const auto ones = static_cast<int>(std::ranges::count(y, 1));
    count = ones * (ones - 1) / 2;
  } else if (encoding_ == Encoding::DomainWall) {
    for (std::size_t a = 1; a < y.size(); ++a) {
      count += y[a - 1] == 0 && y[a] != 0 ? 1 : 0;
    }
  }
  return count;
}

void LevelCode::write(int level, std::span<std::uint8_t> y) const {
  std::ranges::fill(y, std::uint8_t{0});
  if (encoding_ == Encoding::OneHot) {
    if (level > 0) {
      y[static_cast<std::size_t>(level) - 1] = 1;
    }
    return;
  }
  // Largest weight first: the remainder is then a sum of smaller weights.
  const bool ascending = encoding_ == Encoding::Binary;
  for (std::size_t n = weights_.size(), t = 0; t < n && level > 0; ++t) {
    const std::size_t a = ascending ? n - 1 - t : t;
    if (weights_[a] <= level) {
      y[a] = 1;
      level -= weights_[a];
    }
  }
  assert(level == 0);
}

LevelCode code_of(const Problem& problem) {
  return {problem.encoding, problem.levels};
}

std::vector<std::uint8_t> levels_of(const LevelCode& code,
                                    std::span<const std::uint8_t> y) {
  std::vector<std::uint8_t> levels(y.size() / static_cast<std::size_t>(code.spins()));
  for (std::size_t k = 0; k < levels.size(); ++k) {
    levels[k] = static_cast<std::uint8_t>(code.level(part(code, y, k)));
  }
  return levels;
}

std::vector<std::uint8_t> spins_of(const LevelCode& code,
                                   std::span<const std::uint8_t> levels) {
  const auto s = static_cast<std::size_t>(code.spins());
  std::vector<std::uint8_t> y(levels.size() * s);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    code.write(levels[k], std::span(y).subspan(k * s, s));
  }
  return y;
}

std::int64_t violated(const SolvedProblem& solution) {
  if (solution.problem.coefficients != Coefficients::Levels || solution.x.empty()) {
    return 0;
  }
  const LevelCode code = code_of(solution.problem);
  std::int64_t count = 0;
  for (std::size_t k = 0; code.has_penalty() && k < solution.problem.variables(); ++k) {
    count += code.violations(part(code, solution.x, k)) > 0 ? 1 : 0;
  }
  return count;
}

double level_energy(const Problem& problem, int i, std::span<const std::uint8_t> y) {
  const LevelCode code = code_of(problem);
  const auto h = problem.query(i);
  const auto m = static_cast<std::size_t>(problem.m);
  const double q = problem.steps[static_cast<std::size_t>(i)];
  const auto penalty = problem.penalty.empty() ? std::span<const float>()
                                               : problem.row(problem.penalty, i);
  std::vector<std::size_t> used;
  std::vector<double> sums;
  double penalties = 0.0;
  for (std::size_t k = 0; k < h.size(); ++k) {
    const auto spins = part(code, y, k);
    if (const int sum = code.sum(spins); sum > 0) {
      used.push_back(k);
      sums.push_back(sum);
      penalties += penalty.empty() ? 0.0 : double{penalty[k]} * code.violations(spins);
    }
  }
  ExactSum total;
  for (std::size_t a = 0; a < used.size(); ++a) {
    const float* row = problem.j.data() + used[a] * m;
    total.add(q * double{h[used[a]]} * sums[a]);
    total.add(0.5 * double{row[used[a]]} * sums[a] * sums[a]);
    for (std::size_t b = 0; b < a; ++b) {
      total.add(double{row[used[b]]} * (sums[a] * sums[b]));
    }
  }
  return total.value() / (q * q) + penalties;
}

SpinProblem spin_problem(const Problem& problem, int i) {
  const LevelCode code = code_of(problem);
  const auto linear = problem.query(i);
  const auto m = static_cast<std::size_t>(problem.m);
  const auto s = static_cast<std::size_t>(code.spins());
  const std::size_t n = linear.size() * s;
  const double q = problem.steps[static_cast<std::size_t>(i)];
  std::vector<double> w(code.weights().begin(), code.weights().end());
  std::vector<double> j(n * n);
  std::vector<double> h(n);
  double largest = 0.0;
  for (std::size_t a = 0; a < n; ++a) {
    const double wa = w[a % s];
    const float* row = problem.j.data() + a / s * m;
    for (std::size_t k = 0; k < linear.size(); ++k) {
      for (std::size_t c = 0; c < s; ++c) {
        double& coupling = j[a * n + k * s + c];
        coupling = double{row[k]} * (wa * w[c]);
        largest = std::max(largest, std::abs(coupling));
      }
    }
    h[a] = q * double{linear[a / s]} * wa;
  }
  if (code.has_penalty() && !problem.penalty.empty()) {
    const auto penalty = problem.row(problem.penalty, i);
    for (std::size_t k = 0; k < linear.size(); ++k) {
      const double units = coarse(q * q * double{penalty[k]}, largest);
      add_penalty(problem.encoding, units, k * s, s, n, j);
    }
  }
  // The pair of two spins of coefficient k has weight w_a w_b J_kk.
  return {Matrix(static_cast<int>(n), j), std::move(h), q * q};
}

}  // namespace oa::qubo
