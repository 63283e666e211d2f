#include "oa/solve/lattice/least_squares.h"

#include "oa/base/index.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace oa::solve {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxNumbers = 1024;
constexpr int kMaxShifted = 256;       // numbers, if some have only one digit
constexpr std::size_t kMaxDigits = 8;  // maximum of a number: 256 levels
constexpr double kEqual = 1e-9;        // relative error of a weight taken as a ratio
// The maximum model error, relative to the mean sum of a variable's couplings.
constexpr double kMaxError = 1e-6;
// Negative eigenvalues due to rounding, relative to the largest diagonal element.
constexpr double kMaxNegative = 1e-11;
constexpr int kHalvings = 24;
// Smallest sum of coefficients whose squares and rounding errors are normal doubles.
constexpr double kMinTotal = 1e-200;
constexpr double kMaxTotal = 1e200;

using Eigen::MatrixXd;

/// Returns `weight`, or the short fraction that was rounded to `weight`.
double cleaned(double weight) {
  constexpr double kDigits = 1 << 16;
  int exponent = 0;
  const double mantissa = std::frexp(weight, &exponent);
  const double near = std::round(mantissa * kDigits) / kDigits;
  return std::abs(near - mantissa) < kEqual ? std::ldexp(near, exponent) : weight;
}

std::vector<Level> levels_of(const Number& number) {
  std::vector<Level> levels;
  const std::size_t digits = number.variables.size();
  for (std::uint32_t choice = 0; choice < 1U << digits; ++choice) {
    Level level{0.0, choice};
    for (std::size_t k = 0; k < digits; ++k) {
      level.value += (choice >> k & 1U) != 0 ? number.weights[k] : -number.weights[k];
    }
    levels.push_back(level);
  }
  std::ranges::sort(levels,
                    [](const Level& a, const Level& b) { return a.value < b.value; });
  return levels;
}

/// Adds single variables to the numbers.
/// False if most variables are single, or if there are too many numbers or digits.
bool complete(std::vector<Number>& numbers, int n) {
  std::vector<bool> used(at(n));
  for (Number& number : numbers) {
    if (number.variables.size() > kMaxDigits) {
      return false;
    }
    for (const int k : number.variables) {
      used[at(k)] = true;
    }
    std::ranges::transform(number.weights, number.weights.begin(), cleaned);
  }
  const auto single = std::ranges::count(used, false);
  const auto count = std::ssize(numbers) + single;
  if (2 * single > n || count > (single > 0 ? kMaxShifted : kMaxNumbers)) {
    return false;
  }
  for (int k = 0; k < n; ++k) {
    if (!used[at(k)]) {
      numbers.push_back({{k}, {1.0}});
    }
  }
  return true;
}

/// The number and digit of a variable.
struct Digit {
  int number = 0;
  double weight = 0.0;
};

/// Fits a factor to products of weights, and adds up the residual.
class Fit {
 public:
  void add(double value, double weight) {
    products_ += value * weight;
    squares_ += weight * weight;
  }
  [[nodiscard]] double factor() const {
    return squares_ > 0.0 ? products_ / squares_ : 0.0;
  }

 private:
  double products_ = 0.0;
  double squares_ = 0.0;
};

/// Returns the least multiple of the diagonal `single` that makes `gram` semidefinite,
/// up to rounding errors; empty if no multiple does.
std::optional<double> least_shift(const MatrixXd& gram, const Eigen::VectorXd& single) {
  const double scale = gram.diagonal().maxCoeff();
  const auto convex = [&](double shift) {
    MatrixXd shifted = gram;
    shifted.diagonal() += shift * single;
    shifted.diagonal().array() +=
        kMaxNegative * std::max(scale, shift * single.maxCoeff());
    return Eigen::LLT<MatrixXd>(shifted).info() == Eigen::Success;
  };
  if (single.isZero()) {
    return convex(0.0) ? std::optional(0.0) : std::nullopt;
  }
  double high = 2.0 * gram.cwiseAbs().rowwise().sum().maxCoeff();
  if (!convex(high)) {
    return std::nullopt;
  }
  double low = 0.0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (convex(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::optional<LeastSquares> find_least_squares(const qubo::Quadratic& f,
                                               const Structure& structure) {
  const int n = f.size();
  LeastSquares squares;
  squares.numbers = structure.numbers;
  if (!complete(squares.numbers, n)) {
    return std::nullopt;
  }
  const qubo::Converted spins = converted(f, qubo::Vartype::Spin);
  if (!spins.exact) {
    return std::nullopt;
  }
  const int m = squares.size();
  std::vector<Digit> digits(at(n));
  for (int j = 0; j < m; ++j) {
    const Number& number = squares.numbers[at(j)];
    for (std::size_t k = 0; k < number.variables.size(); ++k) {
      digits[at(number.variables[k])] = {j, number.weights[k]};
    }
    squares.levels.push_back(levels_of(number));
  }

  // Coefficients of products of numbers; the product of a digit with itself is
  // constant.  All pairs count: a missing coupling is 0.
  MatrixXd sums = MatrixXd::Zero(m, m);
  double total = 0.0;
  for (int i = 0; i < n; ++i) {
    const Digit& a = digits[at(i)];
    spins.f.row(i).each([&](std::int32_t k, double weight) {
      const Digit& b = digits[at(k)];
      sums(a.number, b.number) += weight * a.weight * b.weight;
      total += 0.5 * std::abs(weight);
    });
  }
  Eigen::VectorXd norms(m);
  Eigen::VectorXd fourths(m);
  Eigen::VectorXd single = Eigen::VectorXd::Zero(m);
  for (int j = 0; j < m; ++j) {
    const Number& number = squares.numbers[at(j)];
    norms(j) = fourths(j) = 0.0;
    for (const double w : number.weights) {
      norms(j) += w * w;
      fourths(j) += w * w * w * w;
    }
    single(j) = number.variables.size() == 1 ? 1.0 : 0.0;
  }
  MatrixXd gram(m, m);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) {
      const double products =
          a == b ? norms(a) * norms(a) - fourths(a) : norms(a) * norms(b);
      gram(a, b) = a == b && single(a) != 0.0 ? 0.0 : 0.5 * sums(a, b) / products;
    }
  }
  gram = (0.5 * (gram + gram.transpose())).eval();

  // The residual of the model.
  double error = 0.0;
  for (int i = 0; i < n; ++i) {
    const Digit& a = digits[at(i)];
    std::vector<double> row(at(n));
    spins.f.row(i).each([&](std::int32_t k, double weight) { row[at(k)] = weight; });
    for (int k = 0; k < i; ++k) {
      const Digit& b = digits[at(k)];
      const double model = 2.0 * gram(a.number, b.number) * a.weight * b.weight;
      error += std::abs(row[at(k)] - model) + 4.0 * kEpsilon * std::abs(model);
    }
  }
  squares.linear.resize(at(m));
  for (int j = 0; j < m; ++j) {
    const Number& number = squares.numbers[at(j)];
    Fit fit;
    for (std::size_t k = 0; k < number.variables.size(); ++k) {
      fit.add(spins.f.linear[at(number.variables[k])], number.weights[k]);
    }
    squares.linear[at(j)] = fit.factor();
    for (std::size_t k = 0; k < number.variables.size(); ++k) {
      const double model = fit.factor() * number.weights[k];
      const double exact = spins.f.linear[at(number.variables[k])];
      error += std::abs(exact - model) + 4.0 * kEpsilon * std::abs(model);
      total += std::abs(exact);
    }
  }
  for (const qubo::Term& t : spins.f.rests()) {
    error += std::abs(t.weight);
  }
  if (!(error <= kMaxError * total / n) || !(total > kMinTotal) ||
      !(total < kMaxTotal)) {
    return std::nullopt;
  }

  const auto shift = least_shift(gram, single);
  if (!shift) {
    return std::nullopt;
  }
  gram.diagonal() += *shift * single;
  squares.gram.assign(gram.data(), gram.data() + gram.size());
  squares.constant = spins.f.offset - gram.diagonal().dot(norms);
  const double magnitude =
      std::abs(spins.f.offset) + gram.diagonal().cwiseAbs().dot(norms);
  // Sums of n terms, with rounding.
  squares.error = error * (1.0 + kEpsilon * n * n) + kEpsilon * (m + 4) * magnitude;
  return squares;
}

std::vector<std::uint8_t> vector_of(const LeastSquares& squares,
                                    const std::vector<int>& chosen) {
  std::size_t n = 0;
  for (const Number& number : squares.numbers) {
    n += number.variables.size();
  }
  std::vector<std::uint8_t> x(n);
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    const std::uint32_t digits = squares.levels[j][at(chosen[j])].digits;
    const std::vector<int>& variables = squares.numbers[j].variables;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      x[at(variables[k])] = static_cast<std::uint8_t>(digits >> k & 1U);
    }
  }
  return x;
}

}  // namespace oa::solve
