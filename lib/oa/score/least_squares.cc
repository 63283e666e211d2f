#include "oa/score/least_squares.h"

#include "oa/base/index.h"
#include "oa/score/aggregate.h"

#include <algorithm>
#include <cmath>

namespace oa::score {
namespace {

/// Returns |a'V + r|^2 for the coefficients a of a query and its residual r.
double squared_residual(const qubo::Problem& p, int query, std::span<const float> a) {
  const auto d = at(p.d);
  const auto row = std::span(p.residual).subspan(at(query) * d, d);
  std::vector<double> output(row.begin(), row.end());
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0.0F) {
      continue;
    }
    for (std::size_t c = 0; c < d; ++c) {
      output[c] += double{a[k]} * double{p.v[k * d + c]};
    }
  }
  double sum = 0.0;
  for (const double v : output) {
    sum += v * v;
  }
  return sum;
}

/// Counts the errors of a query, whose coefficients are levels.
void compare(std::span<const int> found,
             std::span<const std::uint8_t> truth,
             const qubo::Alphabet& alphabet,
             LeastSquares::Errors& errors) {
  const std::size_t symbols = alphabet.complex ? found.size() / 2 : found.size();
  std::int64_t wrong = 0;
  for (std::size_t k = 0; k < symbols; ++k) {
    const bool second = alphabet.complex && found[symbols + k] != truth[symbols + k];
    wrong += found[k] != truth[k] || second ? 1 : 0;
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    errors.wrong_bits += qubo::gray_distance(found[k], truth[k]);
  }
  errors.symbols += static_cast<std::int64_t>(symbols);
  errors.wrong_symbols += wrong;
  errors.problems += wrong > 0 ? 1 : 0;
  errors.bits += std::ssize(found) * qubo::bits_of(alphabet);
}

}  // namespace

LeastSquares& LeastSquares::operator+=(const LeastSquares& more) {
  problems += more.problems;
  residuals += more.residuals;
  coefficients += more.coefficients;
  support += more.support;
  if (more.errors) {
    errors = errors.value_or(Errors{});
    errors->problems += more.errors->problems;
    errors->symbols += more.errors->symbols;
    errors->wrong_symbols += more.errors->wrong_symbols;
    errors->bits += more.errors->bits;
    errors->wrong_bits += more.errors->wrong_bits;
    errors->residuals += more.errors->residuals;
    errors->as_low += more.errors->as_low;
  }
  return *this;
}

std::vector<int> levels_of(const qubo::SolvedProblem& s,
                           const qubo::Alphabet& alphabet) {
  const qubo::Problem& p = s.problem;
  const num::Matrix x = coefficients_of(s);
  std::vector<int> levels;
  for (int i = 0; i < p.n; ++i) {
    const double steps = p.steps.empty() ? 1.0 : double{p.steps[at(i)]};
    for (const float value : std::span(x.row(i), at(p.m))) {
      const auto level = static_cast<int>(std::lround(double{value} * steps));
      levels.push_back(std::clamp(level, 0, alphabet.levels - 1));
    }
  }
  return levels;
}

LeastSquares count_least_squares(const qubo::SolvedProblem& s,
                                 const qubo::Alphabet& alphabet,
                                 std::span<const std::uint8_t> truth) {
  const qubo::Problem& p = s.problem;
  const num::Matrix x = coefficients_of(s);
  LeastSquares all;
  all.problems = p.n;
  all.coefficients = static_cast<std::int64_t>(p.variables());
  const std::vector<int> levels = levels_of(s, alphabet);
  std::vector<float> true_row(at(p.m));
  for (int i = 0; i < p.n; ++i) {
    const std::span<const float> row(x.row(i), at(p.m));
    const double steps = p.steps.empty() ? 1.0 : double{p.steps[at(i)]};
    const double residual = squared_residual(p, i, row);
    all.residuals += residual;
    const auto found = std::span(levels).subspan(at(i) * at(p.m), at(p.m));
    for (const int level : found) {
      all.support += alphabet.value(level) != 0.0 ? 1 : 0;
    }
    if (truth.empty()) {
      continue;
    }
    all.errors = all.errors.value_or(LeastSquares::Errors{});
    const auto right = truth.subspan(at(i) * at(p.m), at(p.m));
    compare(found, right, alphabet, *all.errors);
    std::ranges::transform(right, true_row.begin(), [&](std::uint8_t level) {
      return static_cast<float>(level / steps);
    });
    const double of_truth = squared_residual(p, i, true_row);
    all.errors->residuals += of_truth;
    all.errors->as_low += residual <= of_truth * (1.0 + 1e-9) ? 1 : 0;
  }
  return all;
}

}  // namespace oa::score
