// Makes a QUBO and solves it with a proof.  Links oa::oa alone.
#include "oa/qubo/quadratic.h"
#include "oa/solve/single/solve_model.h"

#include <iostream>
#include <vector>

int main() {
  using oa::qubo::Term;
  oa::qubo::Quadratic f(3);
  f.add(std::vector<Term>{
      {0, 0, -1.0}, {1, 1, -1.0}, {2, 2, -1.0}, {0, 1, 2.0}, {1, 2, 2.0}});

  oa::solve::ModelSettings settings;
  settings.method = oa::solve::find_method("exact");
  const oa::solve::ModelResult result =
      oa::solve::solve_model(f, settings, oa::Rng(1), {});
  std::cout << "energy " << result.best.front().energy << ", bound " << result.bound
            << '\n';
  return result.best.front().energy == -2.0 && result.bound == -2.0 ? 0 : 1;
}
