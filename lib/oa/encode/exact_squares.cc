#include "oa/encode/exact_squares.h"

#include "oa/base/exact_product.h"
#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::encode {
namespace {

// Products of larger numbers, and their remainders, are multiples of 2^-1074.
constexpr double kMinMagnitude = 0x1p-480;
// Exceeds the relative error of sums in double precision.
constexpr double kSlack = 1.0 + 1e-6;

qubo::LevelCode code_of(int levels) {
  const bool whole = std::has_single_bit(static_cast<unsigned>(levels));
  return {whole ? Encoding::Binary : Encoding::DomainWall, levels};
}

ExactSum product(std::span<const double> a, std::span<const double> b) {
  ExactSum sum;
  for (std::size_t c = 0; c < a.size(); ++c) {
    exact_product(a[c], b[c], [&](double part) { sum.add(part); });
  }
  return sum;
}

/// Passes doubles to `take` whose sum is exactly `sum`.
template <class Take>
void split(ExactSum sum, const Take& take) {
  for (double part = sum.take_value(); part != 0.0; part = sum.take_value()) {
    take(part);
  }
}

/// Adds factor * `sum` to `to`.
void add_times(double factor, const ExactSum& sum, ExactSum& to) {
  split(sum, [&](double part) {
    exact_product(factor, part, [&](double more) { to.add(more); });
  });
}

bool are_large(std::span<const double> numbers) {
  return std::ranges::all_of(
      numbers, [](double v) { return v == 0.0 || std::abs(v) >= kMinMagnitude; });
}

}  // namespace

ExactSquares::ExactSquares(const LeastSquares& problem,
                           const qubo::Alphabet& alphabet,
                           const qubo::Problem& rounded)
    : problem_(problem),
      lowest_(alphabet.lowest),
      steps_(rounded.steps.empty() ? 1.0 : double{rounded.steps.front()}),
      code_(code_of(alphabet.levels)),
      rounded_(rounded),
      sums_(at(problem.m)),
      couplings_(problem.m * code_.spins()),
      exact_(are_large(problem.v) && are_large(problem.q)) {
  scale_ = alphabet.step() * (lowest_ == 0.0 ? alphabet.levels - 1 : 1);
  std::vector<qubo::Term> terms;
  double largest = 0.0;
  for (int a = 0; a < problem_.m; ++a) {
    for (int b = 0; b <= a; ++b) {
      const ExactSum products = product(value(a), value(b));
      sums_[at(a)].add(products);
      if (b < a) {
        sums_[at(b)].add(products);
      }
      ExactSum weight;
      add_times(2.0 * scale_ * scale_, products, weight);
      add_pair(a, b, weight, terms);
      largest = std::max(largest, std::abs(weight.value()));
      weight.add(-double{rounded_.j[at(a) * at(problem_.m) + at(b)]});
      changed_ += (a == b ? 0.5 : 1.0) * std::abs(weight.value());
    }
  }
  if (code_.has_penalty()) {
    const double penalty = std::exp2(std::ceil(std::log2(largest)) + 2.0);
    for (int y = 0; y < couplings_.size(); ++y) {
      if (y % code_.spins() != 0) {
        terms.insert(terms.end(), {{y, y, penalty}, {y - 1, y, -penalty}});
      }
    }
  }
  couplings_.add(terms);
}

/// Adds J_ab k_a k_b as terms of digits; a half of it if a == b.
void ExactSquares::add_pair(int a,
                            int b,
                            ExactSum weight,
                            std::vector<qubo::Term>& terms) const {
  const std::span<const int> digits = code_.weights();
  const int count = code_.spins();
  split(std::move(weight), [&](double part) {
    for (int s = 0; s < count; ++s) {
      for (int t = 0; t < (a == b ? s + 1 : count); ++t) {
        const int y = a * count + s;
        const int z = b * count + t;
        const double once = y == z ? 0.5 : 1.0;
        terms.push_back({z, y, once * digits[at(s)] * digits[at(t)] * part});
      }
    }
  });
}

std::span<const double> ExactSquares::value(int a) const {
  return problem_.v.subspan(at(a) * at(problem_.d), at(problem_.d));
}

std::span<const double> ExactSquares::query(int i) const {
  return problem_.q.subspan(at(i) * at(problem_.d), at(problem_.d));
}

/// q h_a of query i.
ExactSum ExactSquares::field(int i, int a) const {
  ExactSum field;
  add_times(-2.0 * scale_ * steps_, product(query(i), value(a)), field);
  add_times(2.0 * scale_ * lowest_, sums_[at(a)], field);
  exact_product(steps_, problem_.lambda, [&](double part) { field.add(part); });
  return field;
}

double ExactSquares::rounding(int i) const {
  if (!exact_) {
    return std::numeric_limits<double>::infinity();
  }
  const double top = code_.levels() - 1;
  double changed = top * top * changed_;
  for (int a = 0; a < problem_.m; ++a) {
    ExactSum change = field(i, a);
    change.add(-steps_ * double{rounded_.query(i)[at(a)]});
    changed += top * std::abs(change.value());
  }
  return kSlack * changed / (steps_ * steps_);
}

qubo::Quadratic ExactSquares::function(int i) const {
  qubo::Quadratic f = couplings_;
  std::vector<qubo::Term> terms;
  for (int a = 0; a < problem_.m; ++a) {
    split(field(i, a), [&](double part) {
      for (int s = 0; s < code_.spins(); ++s) {
        const int y = a * code_.spins() + s;
        terms.push_back({y, y, code_.weights()[at(s)] * part});
      }
    });
  }
  f.add_linear(terms);
  return f;
}

ExactSum ExactSquares::constant(int i) const {
  ExactSum constant;
  for (int a = 0; lowest_ != 0.0 && a < problem_.m; ++a) {
    add_times(-2.0 * lowest_, product(query(i), value(a)), constant);
    add_times(lowest_ * lowest_, sums_[at(a)], constant);
  }
  return constant;
}

}  // namespace oa::encode
