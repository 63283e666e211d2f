#include "oa/solve/polynomial/whole_polynomial.h"

#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

// The maximum number of bits: gains and doubled weights need a few more, below 127.
constexpr int kMaxDigits = 118;

/// The largest k for which `weight`, which is not 0, is a multiple of 2^k.
int last_digit(double weight) {
  int exponent = 0;
  const double part = std::frexp(std::abs(weight), &exponent);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(part, 53));
  return exponent - 53 + std::countr_zero(whole);
}

/// The number of numbers that flips of all variables read.
double work_of(const WholePolynomial& p) {
  double sum = 0.0;
  for (std::size_t m = 0; m < p.size(); ++m) {
    const auto size = static_cast<double>(p.monomial(m).size());
    sum += size * size;
  }
  return sum;
}

/// Divides by the largest common power of 2, and counts digits.
void normalise(WholePolynomial& p) {
  Whole bits = p.constant < 0 ? -p.constant : p.constant;
  Whole total = bits;
  for (const Whole w : p.weights) {
    bits |= w < 0 ? -w : w;
    total += w < 0 ? -w : w;
  }
  int zeros = 0;
  for (; bits != 0 && bits % 2 == 0; bits /= 2) {
    ++zeros;
  }
  p.constant >>= zeros;
  for (Whole& w : p.weights) {
    w >>= zeros;
  }
  p.unit += zeros;
  p.digits = 0;
  for (total >>= zeros; total != 0; total >>= 1) {
    ++p.digits;
  }
}

}  // namespace

void WholePolynomial::append(std::span<const std::int32_t> monomial, Whole weight) {
  variables.insert(variables.end(), monomial.begin(), monomial.end());
  begins.push_back(variables.size());
  weights.push_back(weight);
}

void MonomialSums::add(std::span<const std::int32_t> monomial, Whole weight) {
  keys_.push_back({variables_.size(), monomial.size(), weight});
  variables_.insert(variables_.end(), monomial.begin(), monomial.end());
}

void MonomialSums::append_to(WholePolynomial& p) {
  std::ranges::sort(keys_, [&](const Key& a, const Key& b) {
    return std::ranges::lexicographical_compare(of(a), of(b));
  });
  for (std::size_t k = 0; k < keys_.size();) {
    const auto monomial = of(keys_[k]);
    Whole weight = 0;
    for (; k < keys_.size() && std::ranges::equal(of(keys_[k]), monomial); ++k) {
      weight += keys_[k].weight;
    }
    if (monomial.empty()) {
      p.constant += weight;
    } else if (weight != 0) {
      p.append(monomial, weight);
    }
  }
  normalise(p);
}

Whole WholePolynomial::value(std::span<const std::uint8_t> x) const {
  Whole sum = constant;
  for (std::size_t m = 0; m < size(); ++m) {
    unsigned zeros = 0;
    for (const std::int32_t i : monomial(m)) {
      zeros += x[at(i)] == 0 ? 1U : 0U;
    }
    if (spin) {
      sum += zeros % 2 == 0 ? weights[m] : -weights[m];
    } else if (zeros == 0) {
      sum += weights[m];
    }
  }
  return sum;
}

WholePolynomial in_whole_numbers(const qubo::Polynomial& p) {
  WholePolynomial whole;
  whole.n = p.n;
  whole.spin = p.vartype == qubo::Vartype::Spin;
  bool any = false;
  int top = 0;  // weights are below 2^top
  for (const qubo::Monomial& m : p.monomials) {
    if (m.weight != 0.0) {
      const int last = last_digit(m.weight);
      const int first = std::ilogb(m.weight) + 1;
      whole.unit = any ? std::min(whole.unit, last) : last;
      top = any ? std::max(top, first) : first;
      any = true;
    }
  }
  const int room = static_cast<int>(std::bit_width(p.monomials.size()));
  whole.unit = std::max(whole.unit, top + room - kMaxDigits);
  const int coarse = whole.unit;
  double changes = 0.0;
  const double sign = p.sense == qubo::Sense::Max ? -1.0 : 1.0;
  MonomialSums sums(p.monomials.size());
  for (const qubo::Monomial& m : p.monomials) {
    const double units = std::nearbyint(std::ldexp(sign * m.weight, -whole.unit));
    changes += std::ldexp(units, whole.unit) != sign * m.weight ? 1.0 : 0.0;
    sums.add(m.variables, static_cast<Whole>(units));
  }
  sums.append_to(whole);
  whole.error = std::ldexp(changes, coarse);
  return whole;
}

qubo::Polynomial in_doubles(const WholePolynomial& whole) {
  qubo::Polynomial p;
  p.n = whole.n;
  p.vartype = whole.spin ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  const auto add = [&](std::span<const std::int32_t> monomial, Whole weight) {
    while (weight != 0) {
      const auto part = static_cast<double>(weight);
      p.monomials.push_back(
          {{monomial.begin(), monomial.end()}, std::ldexp(part, whole.unit)});
      weight -= static_cast<Whole>(part);
    }
  };
  add({}, whole.constant);
  for (std::size_t m = 0; m < whole.size(); ++m) {
    add(whole.monomial(m), whole.weights[m]);
  }
  return p;
}

std::optional<WholePolynomial> in_other_form(const WholePolynomial& p) {
  // A monomial of degree d becomes 2^d monomials.
  constexpr std::size_t kMaxDegree = 8;
  constexpr double kMaxMonomials = 2e6;
  std::size_t degree = 0;
  double count = 0.0;
  for (std::size_t m = 0; m < p.size(); ++m) {
    degree = std::max(degree, p.monomial(m).size());
    count +=
        std::ldexp(1.0, static_cast<int>(std::min(p.monomial(m).size(), kMaxDegree)));
  }
  const auto most = static_cast<int>(degree);
  if (is_even(p) || degree < 2 || degree > kMaxDegree || count > kMaxMonomials ||
      p.digits + 2 * most > kMaxDigits) {
    return std::nullopt;
  }
  WholePolynomial other;
  other.n = p.n;
  other.spin = !p.spin;
  other.error = p.error;
  other.unit = p.unit - (p.spin ? 0 : most);
  other.constant = p.constant * (Whole{1} << (p.unit - other.unit));
  MonomialSums sums(static_cast<std::size_t>(count));
  std::vector<std::int32_t> some;
  for (std::size_t m = 0; m < p.size(); ++m) {
    const auto monomial = p.monomial(m);
    const auto d = static_cast<int>(monomial.size());
    for (unsigned set = 0; set < 1U << d; ++set) {
      some.clear();
      for (int k = 0; k < d; ++k) {
        if ((set >> k & 1U) != 0) {
          some.push_back(monomial[at(k)]);
        }
      }
      // Substitutes (1 + s) / 2 for a binary variable x, or 2 x - 1 for a spin s.
      const auto chosen = static_cast<int>(some.size());
      const Whole weight = p.weights[m] * (Whole{1} << (p.spin ? chosen : most - d));
      sums.add(some, p.spin && (d - chosen) % 2 != 0 ? -weight : weight);
    }
  }
  sums.append_to(other);
  return other;
}

WholePolynomial in_shorter_form(WholePolynomial p) {
  auto other = in_other_form(p);
  return other && work_of(*other) < work_of(p) ? *std::move(other) : p;
}

Whole simple_bound(const WholePolynomial& p) {
  Whole sum = p.constant;
  for (const Whole w : p.weights) {
    sum += w < 0 ? w : p.spin ? -w : Whole{0};
  }
  return sum;
}

bool is_even(const WholePolynomial& p) {
  if (!p.spin) {
    return false;
  }
  for (std::size_t m = 0; m < p.size(); ++m) {
    if (p.monomial(m).size() % 2 != 0) {
      return false;
    }
  }
  return true;
}

MonomialIndex::MonomialIndex(const WholePolynomial& p)
    : begins_(at(p.n) + 1),
      monomials_(p.variables.size()) {
  for (const std::int32_t i : p.variables) {
    ++begins_[at(i) + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<std::size_t> next = begins_;
  for (std::size_t m = 0; m < p.size(); ++m) {
    for (const std::int32_t i : p.monomial(m)) {
      monomials_[next[at(i)]++] = static_cast<std::int32_t>(m);
    }
  }
}

}  // namespace oa::solve
