#include "oa/solve/methods.h"

#include "oa/solve/automatic.h"
#include "oa/solve/exact/prove.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/polynomial/search.h"
#include "oa/solve/polynomial/solve.h"
#include "oa/solve/portfolio/portfolio.h"

#include <algorithm>
#include <array>

namespace oa::solve {
namespace {

constexpr SettingSet kNone{};
constexpr SettingSet kEffort{Setting::Reads, Setting::Sweeps};

/// Solves a single problem by a heuristic, as a batch of one.
template <SolverMaker* make>
constexpr Method heuristic(std::string_view name, int turn_in_auto = 0) {
  return {.name = name,
          .settings = kEffort,
          .make_solver = make,
          .solve_part = solve_alone<make>,
          .turn_in_auto = turn_in_auto};
}

constexpr std::array kMethods{
    Method{.name = "auto",
           .settings = {Setting::Reads, Setting::Sweeps, Setting::MaxNodes},
           .make_solver = make_automatic,
           .solve_part = solve_portfolio,
           .takes_continuous = true,
           .searches_levels = true,
           .proves = true,
           .solve_polynomial = solve_polynomial},
    Method{.name = "exact",
           .settings = {Setting::MaxNodes},
           .make_solver = make_proving,
           .solve_part = solve_proving,
           .most_variables = kMaxExact,
           .proves = true,
           .solve_polynomial = prove_polynomial},
    Method{.name = "sa",
           .settings = {Setting::Reads,
                        Setting::Sweeps,
                        Setting::Schedule,
                        Setting::Hot,
                        Setting::Cold},
           .make_solver = make_annealing,
           .solve_part = solve_annealing,
           .samples = true,
           .turn_in_auto = 2,
           .solve_polynomial = anneal_polynomial},
    Method{.name = "pt",
           .settings = {Setting::Reads, Setting::Sweeps, Setting::Hot, Setting::Cold},
           .make_solver = make_tempering,
           .solve_part = solve_tempering,
           .solve_polynomial = temper_polynomial},
    Method{.name = "tabu",
           .settings = kEffort,
           .make_solver = make_tabu,
           .solve_part = solve_tabu,
           .turn_in_auto = 1,
           .solve_polynomial = tabu_polynomial},
    heuristic<make_ballistic_bifurcation>("sb"),
    heuristic<make_discrete_bifurcation>("sb-discrete", 3),
    heuristic<make_coherent_machine>("cim"),
    heuristic<make_controlled_machine>("cim-control"),
    Method{.name = "admm",
           .settings = kNone,
           .make_solver = make_relaxation,
           .solve_part = solve_relaxation,
           .takes_continuous = true},
    Method{.name = "greedy",
           .settings = kNone,
           .make_solver = make_greedy,
           .solve_part = solve_greedy},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method& default_method() {
  return kMethods.front();
}

const Method& exact_method() {
  static_assert(kMethods[1].name == "exact");
  return kMethods[1];
}

const Method* find_method(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

}  // namespace oa::solve
