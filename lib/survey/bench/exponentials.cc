#include "survey/bench/exponentials.h"

#include "oa/base/rng.h"
#include "survey/kernel/exponent.h"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace oa::attention {
namespace {

using Numbers = std::span<const double>;
using Results = std::span<double>;

constexpr double kLog2e = std::numbers::log2e;

void by_kernel(int /*degree*/, Numbers x, Results y) {
  std::vector<float> t(x.size());
  std::ranges::transform(
      x, t.begin(), [](double one) { return static_cast<float>(one * kLog2e); });
  powers_of_two(t, t);
  std::ranges::transform(
      t, y.begin(), [](float one) { return static_cast<double>(one); });
}

void by_parts_of_logarithm(int degree, Numbers x, Results y) {
  // Coefficients of the best polynomial of degree 2 from 1 at 0 to 2 at 1.
  constexpr float kSlope = 0.6602F;
  std::ranges::transform(x, y.begin(), [&](double one) {
    const auto t = static_cast<float>(one * kLog2e);
    const float whole = degree == 0 ? std::round(t) : std::floor(t);
    const float f = t - whole;
    const float p = degree == 0   ? 1.0F
                    : degree == 1 ? 1.0F + f
                                  : 1.0F + f * (kSlope + (1.0F - kSlope) * f);
    return static_cast<double>(std::ldexp(p, static_cast<int>(whole)));
  });
}

/// Tabulates exp at `count` points of the range, starting at -first steps.
std::vector<float> table_of(int count, double first, double step) {
  std::vector<float> table(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    table[static_cast<std::size_t>(k)] =
        static_cast<float>(std::exp(-(k + first) * step));
  }
  return table;
}

void by_table(int size, Numbers x, Results y) {
  const double step = kExponentialRange / size;
  const std::vector<float> table = table_of(size, 0.5, step);
  std::ranges::transform(x, y.begin(), [&](double one) {
    const auto place = static_cast<float>(-one / step);
    return place > static_cast<float>(size)
               ? 0.0
               : static_cast<double>(table[static_cast<std::size_t>(
                     std::min<int>(size - 1, static_cast<int>(place)))]);
  });
}

void by_line(int size, Numbers x, Results y) {
  const double step = kExponentialRange / size;
  const std::vector<float> table = table_of(size + 1, 0.0, step);
  std::ranges::transform(x, y.begin(), [&](double one) {
    const auto place = static_cast<float>(-one / step);
    if (place > static_cast<float>(size)) {
      return 0.0;
    }
    const int k = std::min<int>(size - 1, static_cast<int>(place));
    const float low = table[static_cast<std::size_t>(k)];
    const float high = table[static_cast<std::size_t>(k) + 1];
    return static_cast<double>(low + (place - static_cast<float>(k)) * (high - low));
  });
}

/// Returns value / 2^bits, rounded to nearest; ties go up.
std::int64_t shifted(std::int64_t value, int bits) {
  return bits == 0 ? value : (value + (std::int64_t{1} << (bits - 1))) >> bits;
}

/// Integers of `size` bits with sign; products have 2 size bits.
struct FixedPoint {
  int size;
  int logarithm_bits;                    // fractional bits of x / log(2)
  int power_bits;                        // fractional bits of the powers
  std::vector<std::int64_t> polynomial;  // coefficients of 2^fraction, highest first

  explicit FixedPoint(int bits)
      : size(bits),
        logarithm_bits(bits == 16 ? 11 : 26),
        power_bits(bits == 16 ? 14 : 30) {
    // Minimax polynomials of degree 3, or of degree 5 as in exponent-inl.h.
    const std::vector<double> wanted =
        bits == 16 ? std::vector{0.0550073332, 0.242211185, 0.693283124, 1.0}
                   : std::vector{0.00132764515,
                                 0.00967554096,
                                 0.0555071346,
                                 0.240221202,
                                 0.693146944,
                                 1.0};
    for (const double one : wanted) {
      polynomial.push_back(std::llround(std::ldexp(one, power_bits)));
    }
  }

  [[nodiscard]] double exp(double x) const {
    const double least = -std::ldexp(1.0, size - 1);
    const std::int64_t t =
        std::llround(std::max(least, std::ldexp(x * kLog2e, logarithm_bits)));
    const std::int64_t whole = shifted(t, logarithm_bits);
    const std::int64_t fraction = (t - (whole << logarithm_bits))
                                  << (size - 1 - logarithm_bits);
    std::int64_t p = polynomial.front();
    for (std::size_t k = 1; k < polynomial.size(); ++k) {
      p = polynomial[k] + shifted(p * fraction, size - 1);
    }
    const auto down = static_cast<int>(-whole);
    return down >= size
               ? 0.0
               : std::ldexp(static_cast<double>(shifted(p, down)), -power_bits);
  }
};

void by_fixed_point(int size, Numbers x, Results y) {
  const FixedPoint numbers(size);
  std::ranges::transform(x, y.begin(), [&](double one) { return numbers.exp(one); });
}

struct ExponentialMethod {
  const char* name;
  int size;
  void (*compute)(int size, Numbers x, Results y);
  int multiplications;
  int others;
  int reads;
};

constexpr std::array kWays{
    // Operations: 2 clamps; rounding by an addition and a subtraction;
    // subtraction; shift; addition.
    ExponentialMethod{"kernel", 5, by_kernel, 5, 7, 0},
    // Operations: rounding, clamp, addition of the exponent bias, shift.
    ExponentialMethod{"log2", 0, by_parts_of_logarithm, 0, 4, 0},
    // Operations: clamp, conversion, addition.
    // The integer t 2^23 plus the bias has the bits of 2^n (1 + f).
    ExponentialMethod{"log2", 1, by_parts_of_logarithm, 0, 3, 0},
    // Operations: clamp, rounding, conversion, subtraction, shift, addition.
    ExponentialMethod{"log2", 2, by_parts_of_logarithm, 2, 6, 0},
    // Operations: conversion, and a comparison that sets small weights to 0.
    ExponentialMethod{"table", 64, by_table, 0, 2, 1},
    ExponentialMethod{"table", 256, by_table, 0, 2, 1},
    ExponentialMethod{"table", 1024, by_table, 0, 2, 1},
    // Operations: those of "table", a conversion back, and two differences.
    ExponentialMethod{"line", 64, by_line, 1, 5, 2},
    ExponentialMethod{"line", 256, by_line, 1, 5, 2},
    ExponentialMethod{"line", 1024, by_line, 1, 5, 2},
    // Operations: clamp, rounding by two shifts, subtraction, shift; an addition for
    // each product; a shift by the integer part.
    ExponentialMethod{"fixed", 16, by_fixed_point, 3, 9, 0},
    ExponentialMethod{"fixed", 32, by_fixed_point, 5, 11, 0}};

std::vector<double> computed(const ExponentialMethod& way, Numbers x) {
  std::vector<double> y(x.size());
  way.compute(way.size, x, y);
  return y;
}

Exponential error_of(const ExponentialMethod& way) {
  constexpr int kSteps = 1 << 16;
  std::vector<double> x;
  for (int k = 0; k <= kSteps; ++k) {
    x.push_back(-kExponentialRange * k / kSteps);
  }
  Exponential error{.method = way.name,
                    .size = way.size,
                    .multiplications = way.multiplications,
                    .others = way.others,
                    .reads = way.reads};
  const std::vector<double> y = computed(way, x);
  double squares = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double exact = std::exp(x[k]);
    const double relative = std::abs(y[k] - exact) / exact;
    error.largest = std::max(error.largest, relative);
    error.absolute = std::max(error.absolute, std::abs(y[k] - exact));
    squares += relative * relative;
  }
  error.rms = std::sqrt(squares / static_cast<double>(x.size()));
  return error;
}

using Dense = Eigen::MatrixXd;

constexpr int kHeadWidth = 16;
constexpr int kQueries = 16;
constexpr int kDraws = 4;

Dense normal_numbers(int rows, double deviation, Rng& rng) {
  Dense all(rows, kHeadWidth);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < kHeadWidth; ++j) {
      all(i, j) = deviation * rng.normal();
    }
  }
  return all;
}

/// Sums of squares of errors and of exact values.
struct Difference {
  double wrong = 0.0;
  double exact = 0.0;

  [[nodiscard]] double relative() const { return std::sqrt(wrong / exact); }
};

/// One query: its logits relative to the largest, and the exact results.
struct DrawnQuery {
  std::vector<double> logits;
  double sum = 0.0;
  Eigen::RowVectorXd output;

  DrawnQuery(const Eigen::VectorXd& scores, const Dense& v)
      : logits(scores.data(), scores.data() + scores.size()) {
    const double top = scores.maxCoeff();
    for (double& logit : logits) {
      logit -= top;
    }
    const Eigen::RowVectorXd weights = (scores.array() - top).exp().transpose();
    sum = weights.sum();
    output = weights * v / sum;
  }
};

void add_use(const ExponentialMethod& way,
             const DrawnQuery& query,
             const Dense& v,
             Difference& sums,
             Difference& outputs) {
  const std::vector<double> y = computed(way, query.logits);
  const Eigen::Map<const Eigen::RowVectorXd> weights(y.data(), std::ssize(y));
  const double sum = weights.sum();
  sums.wrong += (sum - query.sum) * (sum - query.sum);
  sums.exact += query.sum * query.sum;
  outputs.wrong += (weights * v / sum - query.output).squaredNorm();
  outputs.exact += query.output.squaredNorm();
}

void add_uses(int tokens, double spread, std::vector<Exponential>& all) {
  std::array<Difference, kWays.size()> sums{};
  std::array<Difference, kWays.size()> outputs{};
  for (int draw = 0; draw < kDraws; ++draw) {
    Rng rng = Rng(1).fork(static_cast<std::uint64_t>(draw));
    const Dense q = normal_numbers(kQueries, std::sqrt(spread), rng);
    const Dense k = normal_numbers(tokens, std::sqrt(spread), rng);
    const Dense v = normal_numbers(tokens, 1.0, rng);
    for (int i = 0; i < kQueries; ++i) {
      const DrawnQuery query(k * q.row(i).transpose() / std::sqrt(kHeadWidth), v);
      for (std::size_t way = 0; way < kWays.size(); ++way) {
        add_use(kWays[way], query, v, sums[way], outputs[way]);
      }
    }
  }
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    all[way].uses.push_back(
        {tokens, spread, sums[way].relative(), outputs[way].relative()});
  }
}

}  // namespace

std::vector<Exponential> exponential_errors(std::span<const int> tokens,
                                            std::span<const double> spreads) {
  std::vector<Exponential> all;
  std::ranges::transform(kWays, std::back_inserter(all), error_of);
  for (const int n : tokens) {
    for (const double spread : spreads) {
      add_uses(n, spread, all);
    }
  }
  return all;
}

}  // namespace oa::attention
