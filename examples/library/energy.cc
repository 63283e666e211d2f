// A problem as a value: its energies are exact, as 0s and 1s or as spins.
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
  return oa::qubo::energy(f, x) == oa::qubo::energy(spins.f, x) ? 0 : 1;
}
