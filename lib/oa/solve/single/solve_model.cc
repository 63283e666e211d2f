#include "oa/solve/single/solve_model.h"

#include "oa/base/index.h"
#include "oa/base/stopwatch.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/enumerate.h"
#include "oa/solve/single/polynomial.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// True if both have the same value.
bool as_good(const qubo::Model& model, const Solution& a, const Solution& b) {
  if (a.value() != b.value()) {
    return false;
  }
  ExactSum difference = qubo::exact_value(model, a.x);
  difference.subtract(qubo::exact_value(model, b.x));
  return difference.value() == 0.0;
}

using Search = std::function<GeneralResult(const GeneralSettings&)>;

/// Lists more and more solutions until one is worse than the first.
GeneralResult list_optima(const qubo::Model& model,
                          const Search& search,
                          GeneralSettings settings) {
  constexpr int kFirst = 16;
  constexpr int kTimes = 25;
  const double limit_s = settings.solver.time_limit_s;
  const Stopwatch since_begin;
  for (int top = kFirst;; top = std::min(kTimes * top, kMostListed)) {
    settings.solver.top = top;
    settings.solver.time_limit_s = limit_s - since_begin.seconds();
    GeneralResult result = search(settings);
    std::vector<Solution>& best = result.best;
    const bool proved = result.status == qubo::Status::ProvedOptimal;
    const auto end = std::ranges::find_if_not(
        best, [&](const Solution& s) { return as_good(model, s, best.front()); });
    result.complete = proved && (std::ssize(best) < top || end != best.end());
    if (result.complete || !proved || top == kMostListed) {
      best.erase(end, best.end());
      return result;
    }
  }
}

/// A constraint that excludes x and nothing else.
qubo::Constraint all_but(std::span<const std::uint8_t> x, qubo::Vartype vartype) {
  qubo::Constraint c{"another", {}, qubo::Relation::AtMost, 0.0};
  double sum = 0.0;  // the left side at x, its maximum
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(x.size()); ++i) {
    c.terms.push_back({i, i, x[at(i)] != 0 ? 1.0 : -1.0});
    sum += vartype == qubo::Vartype::Spin || x[at(i)] != 0 ? 1.0 : 0.0;
  }
  c.right = sum - 1.0;
  return c;
}

/// Finds several solutions one after the other; each search excludes earlier ones.
GeneralResult keep_constraints(const qubo::Model& model,
                               const ModelSettings& settings,
                               const Rng& rng,
                               const std::stop_token& stop) {
  const Stopwatch since_begin;
  qubo::Model left = model;
  GeneralSettings general = settings.general;
  const int most = settings.all_optima ? kMostKept : general.solver.top;
  general.solver.top = 1;
  std::optional<GeneralResult> all;
  for (int k = 0; k < most; ++k) {
    general.solver.time_limit_s =
        (most == 1 ? 1.0 : 0.5) *
        (settings.general.solver.time_limit_s - since_begin.seconds());
    GeneralResult found = solve_constrained(left, general, rng.fork(at(k)), stop);
    Solution& best = found.best.front();
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    if (all && (qubo::violated(left, best.x) >= 0 ||
                (settings.all_optima && !as_good(left, best, all->best.front())))) {
      all->complete = proved;
      break;
    }
    general.improved = {};  // later optima are not better
    general.bounded = {};
    left.constraints.push_back(all_but(best.x, left.f.vartype));
    if (!all) {
      all = std::move(found);
    } else {
      all->best.push_back(std::move(best));
    }
    if (!proved) {
      all->status = found.status;
    }
    if (!proved && settings.all_optima) {
      break;
    }
  }
  return *std::move(all);
}

/// The result if all variables have values.
GeneralResult only(const qubo::Model& model) {
  GeneralResult result;
  const TwoDoubles energy = qubo::exact_value(model, {}).two();
  result.best.emplace_back(energy, std::vector<std::uint8_t>());
  result.bound = energy.value;
  result.status = qubo::Status::ProvedOptimal;
  result.method = result.found_by = result.proved_by = "fixed";
  result.optima = 1;
  result.complete = true;
  return result;
}

/// Tries every x of a small model that is more than a quadratic function.
std::optional<GeneralResult> try_all(const qubo::Model& model,
                                     const ModelSettings& settings,
                                     const std::stop_token& stop) {
  if (model.quadratic() || !settings.general.method->proves) {
    return std::nullopt;
  }
  const qubo::Polynomial p = qubo::polynomial_of(model);
  if (!enumerable(p, {})) {
    return std::nullopt;
  }
  const Wanted wanted{settings.all_optima ? kMostListed : settings.general.solver.top,
                      settings.all_optima};
  auto found = solve_by_enumeration(p, {}, wanted, settings.general, stop);
  if (found) {
    found->complete =
        std::cmp_greater_equal(found->best.size(), found->optima.value_or(0));
  }
  return found;
}

GeneralResult solve_simplest(const qubo::Model& model,
                             const ModelSettings& settings,
                             const Rng& rng,
                             const std::stop_token& stop) {
  if (model.size() == 0) {
    return only(model);
  }
  if (auto found = try_all(model, settings, stop)) {
    return *std::move(found);
  }
  if (!model.constraints.empty()) {
    return keep_constraints(model, settings, rng, stop);
  }
  const auto search = [&](const GeneralSettings& general) {
    return model.higher.empty()
               ? solve_general(model.f, general, rng, stop)
               : solve_in_own_form(qubo::polynomial_of(model), general, rng, stop);
  };
  return settings.all_optima ? list_optima(model, search, settings.general)
                             : search(settings.general);
}

/// Evaluates the solutions on the model, and orders them by value, then by x.  Drops
/// equal ones, and those that violate a constraint beside one that satisfies all.
void rank(const qubo::Model& model, std::vector<Solution>& best) {
  for (Solution& s : best) {
    s = {qubo::exact_value(model, s.x).two(), std::move(s.x)};
  }
  const auto first_broken = std::ranges::stable_partition(
      best, [&](const Solution& s) { return qubo::violated(model, s.x) < 0; });
  best.erase(
      best.begin() == first_broken.begin() ? best.begin() + 1 : first_broken.begin(),
      best.end());
  const bool max = model.f.sense == qubo::Sense::Max;
  std::ranges::sort(best, [&](const Solution& a, const Solution& b) {
    return a.value() == b.value() ? a.x < b.x : (a.value() < b.value()) != max;
  });
  const auto repeated = std::ranges::unique(best, {}, &Solution::x);
  best.erase(repeated.begin(), repeated.end());
}

}  // namespace

GeneralResult solve_model(const qubo::Model& model,
                          ModelSettings settings,
                          const Rng& rng,
                          const std::stop_token& stop) {
  const Stopwatch since_begin;
  GeneralSettings& general = settings.general;
  const double limit_s = general.solver.time_limit_s;
  std::vector<std::unique_ptr<Pass>> done;
  const qubo::Model* left = &model;
  for (const NamedPass& named : passes()) {
    std::unique_ptr<Pass> pass = named.make(*left, settings, Stop(stop, limit_s));
    if (!pass) {
      continue;
    }
    for (std::vector<std::uint8_t>& x : general.initial) {
      x = pass->forward(x);
    }
    if (general.sampled) {
      general.sampled = [&pass = *pass, tell = std::move(general.sampled)](
                            std::span<const std::uint8_t> x) { tell(pass.back(x)); };
    }
    left = &pass->model();
    done.push_back(std::move(pass));
  }
  if (!done.empty()) {
    general.solver.time_limit_s = limit_s - since_begin.seconds();
  }
  GeneralResult result = solve_simplest(*left, settings, rng, stop);
  result.penalised =
      result.penalised || (left->constraints.empty() && !model.constraints.empty());
  for (const std::unique_ptr<Pass>& pass : std::views::reverse(done)) {
    pass->tell(result.recovered);
    for (Solution& s : result.best) {
      s.x = pass->back(s.x);
    }
  }
  if (!done.empty()) {
    rank(model, result.best);
  }
  return result;
}

}  // namespace oa::solve
