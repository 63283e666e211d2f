#include "ref/random_quadratic.h"

namespace oa::ref {

qubo::Quadratic random_quadratic(Rng& rng, int n) {
  const auto weight = [&] { return static_cast<double>(rng.below(19)) - 9.0; };
  qubo::Quadratic f(n);
  f.vartype = rng.below(2) != 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  f.sense = rng.below(2) != 0 ? qubo::Sense::Max : qubo::Sense::Min;
  f.offset = rng.below(2) != 0 ? weight() : 0.0;
  const bool fields = rng.below(3) != 0;
  for (double& h : f.linear) {
    h = fields ? weight() : 0.0;
  }
  const double density = rng.uniform();
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      if (rng.uniform() < density) {
        terms.push_back({i, k, weight()});
      }
    }
  }
  f.add(terms);
  return f;
}

std::vector<std::uint8_t> bits_of(unsigned bits, int n) {
  std::vector<std::uint8_t> x;
  for (int i = 0; i < n; ++i) {
    x.push_back(bits >> i & 1U);
  }
  return x;
}

std::vector<std::uint8_t> smallest_optimum(const qubo::Quadratic& f) {
  std::vector<std::uint8_t> best;
  TwoDoubles least;
  each_x(f.size(), [&](const auto& x) {
    const TwoDoubles energy = exact_energy(f, x).two();
    const bool better = f.sense == qubo::Sense::Max ? least < energy : energy < least;
    if (best.empty() || better || (energy == least && x < best)) {
      best = x;
      least = energy;
    }
  });
  return best;
}

double best_value(const qubo::Quadratic& f) {
  double best = qubo::energy(f, bits_of(0, f.size()));
  for (unsigned bits = 1; bits < (1U << f.size()); ++bits) {
    const double e = qubo::energy(f, bits_of(bits, f.size()));
    best = qubo::better(f.sense, e, best) ? e : best;
  }
  return best;
}

qubo::Quadratic normal_quadratic(Rng& rng, int n, double density) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[static_cast<std::size_t>(i)] = rng.normal();
    for (int k = i + 1; k < n; ++k) {
      if (rng.uniform() < density) {
        terms.push_back({i, k, rng.normal()});
      }
    }
  }
  f.add(terms);
  return f;
}

}  // namespace oa::ref
