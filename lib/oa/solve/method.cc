#include "oa/solve/method.h"

#include <algorithm>
#include <array>

namespace oa::solve {
namespace {

constexpr std::array kMethods{
    Method{"auto", "exact while that is quick, else the best heuristic", automatic},
    Method{"exact", "branch and bound, with proof", exact},
    Method{"sa", "simulated annealing", anneal},
    Method{"tabu", "tabu search with restarts", tabu},
    Method{"sb", "simulated bifurcation, ballistic", ballistic_bifurcation},
    Method{"sb-discrete", "simulated bifurcation, discrete", discrete_bifurcation},
    Method{"cim", "coherent Ising machine, mean field", coherent_machine},
    Method{"cim-control", "the same with amplitude control", controlled_machine},
    Method{"admm", "minimum over the box, rounded", relaxation},
    Method{"greedy", "best flip until none helps", greedy},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

}  // namespace oa::solve
