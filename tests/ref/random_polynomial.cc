#include "ref/random_polynomial.h"

#include <algorithm>

namespace oa::ref {

qubo::Polynomial random_polynomial(Rng& rng, int n, int degree) {
  qubo::Polynomial p;
  p.n = n;
  p.vartype = rng.below(2) == 0 ? qubo::Vartype::Binary : qubo::Vartype::Spin;
  p.sense = rng.below(4) == 0 ? qubo::Sense::Max : qubo::Sense::Min;
  const bool even = rng.below(3) == 0;
  const std::uint32_t count = rng.below(static_cast<std::uint32_t>(4 * n + 1));
  for (std::uint32_t k = 0; k < count; ++k) {
    qubo::Monomial m;
    std::uint32_t d = rng.below(static_cast<std::uint32_t>(degree) + 1);
    d += even ? d % 2 : 0;
    for (int i = 0; i < n; ++i) {
      m.variables.push_back(i);
    }
    rng.shuffle(std::span(m.variables));
    m.variables.resize(std::min<std::size_t>(d, m.variables.size()));
    std::ranges::sort(m.variables);
    m.weight = static_cast<double>(rng.below(9)) - 4.0;
    p.monomials.push_back(m);
    if (rng.below(8) == 0) {
      p.monomials.push_back(m);
    }
  }
  return p;
}

std::vector<std::uint8_t> nth_x(std::uint64_t index, int n) {
  std::vector<std::uint8_t> x;
  for (int i = n - 1; i >= 0; --i) {
    x.push_back(static_cast<std::uint8_t>(index >> i & 1U));
  }
  return x;
}

double least_sense(const qubo::Polynomial& p, const std::vector<std::uint8_t>& x) {
  const double value = qubo::exact_value(p, x).value();
  return p.sense == qubo::Sense::Max ? -value : value;
}

std::vector<std::uint8_t> best_of_all(const qubo::Polynomial& p) {
  std::vector<std::uint8_t> best = nth_x(0, p.n);
  for (std::uint64_t k = 1; k < std::uint64_t{1} << p.n; ++k) {
    std::vector<std::uint8_t> x = nth_x(k, p.n);
    ExactSum above = qubo::exact_value(p, x);
    above.subtract(qubo::exact_value(p, best));
    if (qubo::better(p.sense, above.value(), 0.0)) {
      best = std::move(x);
    }
  }
  return best;
}

}  // namespace oa::ref
