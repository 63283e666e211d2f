#include "stops/shapes.h"

#include "oa/base/index.h"
#include "oa/qubo/reduce.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace oa::stops {
namespace {

using Couples = std::function<double(int, int)>;  // the weight of i < k

qubo::Quadratic dense(int n, double linear, const Couples& weight) {
  qubo::Quadratic f(n);
  std::ranges::fill(f.linear, linear);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, weight(i, k)});
    }
  }
  f.add(terms);
  return f;
}

/// Couples `hubs` variables with all others, and all others with `ring` later ones.
qubo::Quadratic sparse(int n, int hubs, int ring, Rng& rng) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  const auto weight = [&] { return 2.0 * rng.below(20) - 19.0; };
  for (int i = 0; i < n; ++i) {
    f.linear[at(i)] = weight();
    for (int h = 0; h < std::min(i, hubs); ++h) {
      terms.push_back({h, i, weight()});
    }
    for (int r = 0; r < ring && i >= hubs; ++r) {
      const int k = r == 0 ? i + 1 : static_cast<int>(rng.below(at(n)));
      if (k < n && k != i) {
        terms.push_back({std::min(i, k), std::max(i, k), weight()});
      }
    }
  }
  f.add(terms);
  return f;
}

/// A clique of one penalty beside a sparse rest.
qubo::Quadratic with_clique(int n, int clique) {
  qubo::Quadratic f(n);
  std::ranges::fill(f.linear, -1.0);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < (i < clique ? clique : std::min(n, i + 4)); ++k) {
      terms.push_back({i, k, 3.0});
    }
  }
  f.add(terms);
  return f;
}

qubo::Polynomial crowded(const qubo::Quadratic& f) {
  qubo::Polynomial p;
  p.n = f.size();
  for (std::int32_t i = 0; i < f.size(); ++i) {
    p.monomials.push_back({{i}, f.linear[at(i)]});
    if (i % 10 == 0) {
      p.constraints.push_back({"crowded", {}, qubo::Relation::AtMost, 3.0});
    }
    p.constraints.back().terms.push_back({i, i, 1.0});
  }
  for (const qubo::Term& t : f.terms()) {
    p.monomials.push_back({{t.first, t.second}, t.weight});
  }
  return p;
}

qubo::Polynomial linear(qubo::Polynomial p) {
  std::erase_if(p.monomials,
                [](const qubo::Monomial& m) { return m.variables.size() > 1; });
  return p;
}

/// Adds products of three neighbours.
solve::WholePolynomial cubic(const qubo::Quadratic& f, Rng& rng) {
  qubo::Polynomial p = crowded(f);
  p.constraints.clear();
  for (std::int32_t i = 0; i + 2 < f.size(); i += 2) {
    p.monomials.push_back({{i, i + 1, i + 2}, 2.0 * rng.below(20) - 19.0});
  }
  return solve::in_whole_numbers(p);
}

}  // namespace

std::vector<Shape> shapes(Rng& rng) {
  const auto any = [&](int, int) { return 2.0 * rng.below(100) - 99.0; };
  std::vector<Shape> all;
  all.push_back({"dense 250", dense(250, 10.0, any)});
  all.push_back({"dense 5000", dense(5000, 10.0, any)});
  all.push_back({"one value 2000", dense(2000, -999.0, [](int, int) { return 2.0; })});
  all.push_back({"one value, some 2000", dense(2000, -1.0, [&](int, int) {
                   return rng.below(4) != 0 ? 2.0 : 0.0;
                 })});
  all.push_back({"sparse 100000", sparse(100'000, 0, 3, rng)});
  all.push_back({"sparse 1000", sparse(1000, 0, 3, rng)});
  all.push_back({"star 100000", sparse(100'000, 1, 0, rng)});
  all.push_back({"wheel 100000", sparse(100'000, 1, 1, rng)});
  all.push_back({"hubs 30000", sparse(30'000, 20, 2, rng)});
  all.push_back({"clique 1500 of 20000", with_clique(20'000, 1500)});
  for (Shape& shape : all) {
    if (shape.f.pairs() < 1'000'000) {
      shape.crowded = crowded(shape.f);
      shape.linear = linear(shape.crowded);
      shape.crowded_model = qubo::model_of(shape.crowded);
      shape.linear_model = qubo::model_of(shape.linear);
      shape.reduced = qubo::reduced(shape.crowded, shape.name).f;
      shape.cubic = cubic(shape.f, rng);
    }
  }
  return all;
}

}  // namespace oa::stops
