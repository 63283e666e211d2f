// A problem as a value: its energies are exact, as 0s and 1s or as spins.
#include "oa/qubo/levels.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <iostream>
#include <vector>

int main() {
  using oa::qubo::Term;
  oa::qubo::Quadratic f(3);
  const std::vector<Term> terms{{0, 0, -1.0}, {0, 1, 2.0}, {1, 1, -3.0}, {1, 2, 0.1}};
  f.add(terms);
  const std::vector<std::uint8_t> x{0, 1, 1};
  std::cout << "energy " << oa::qubo::energy(f, x) << '\n';

  const auto spins = oa::qubo::converted(f, oa::qubo::Vartype::Spin);
  std::cout << "as spins " << oa::qubo::energy(spins.f, x) << '\n';

  // A coefficient of four levels: 0, 1/3, 2/3 or 1.
  oa::qubo::Problem p;
  p.m = p.n = 1;
  p.j = {9.0F};
  p.h = {-6.0F};
  p.coefficients = oa::Coefficients::Levels;
  p.levels = 4;
  p.encoding = oa::Encoding::Unary;
  p.steps = {3.0F};
  const auto y = oa::qubo::spins_of(oa::qubo::code_of(p), std::vector<std::uint8_t>{2});
  std::cout << "two thirds " << oa::qubo::energy(p, 0, y) << '\n';
  return oa::qubo::energy(f, x) == oa::qubo::energy(spins.f, x) &&
                 oa::qubo::energy(p, 0, y) == -2.0
             ? 0
             : 1;
}
