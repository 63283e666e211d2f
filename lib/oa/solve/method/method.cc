#include "oa/solve/method/method.h"

#include <algorithm>
#include <array>

namespace oa::solve {
namespace {

constexpr std::array kMethods{
    Method{"auto",
           "exact while that is quick, else the best heuristic",
           "reads sweeps max-nodes",
           automatic},
    Method{"exact", "branch and bound, with proof", "max-nodes", exact},
    Method{"sa", "simulated annealing", "reads sweeps schedule hot cold", anneal},
    Method{"pt", "parallel tempering", "reads sweeps hot cold", tempering},
    Method{"tabu", "tabu search with restarts", "reads sweeps", tabu, tabu},
    Method{"sb",
           "simulated bifurcation, ballistic",
           "reads sweeps",
           ballistic_bifurcation,
           ballistic_bifurcation},
    Method{"sb-discrete",
           "simulated bifurcation, discrete",
           "reads sweeps",
           discrete_bifurcation,
           discrete_bifurcation},
    Method{"cim",
           "coherent Ising machine, mean field",
           "reads sweeps",
           coherent_machine,
           coherent_machine},
    Method{"cim-control",
           "the same with amplitude control",
           "reads sweeps",
           controlled_machine,
           controlled_machine},
    Method{"admm", "minimum over the box, rounded", "", relaxation, relaxation},
    Method{"greedy", "best flip until none helps", "", greedy},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

bool Method::looks_at(std::string_view setting) const {
  for (std::string_view rest = settings; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == setting) {
      return true;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

const Method* find_method(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

}  // namespace oa::solve
