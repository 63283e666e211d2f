#include "app/solve/one.h"

#include "oa/base/index.h"
#include "oa/base/stopwatch.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/polynomial.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace oa::app {
namespace {

/// The end of the solutions with the energy of the first.
auto end_of_best(std::vector<solve::Solution>& all) {
  return std::ranges::find_if(
      all, [&](const solve::Solution& s) { return s.value() != all.front().value(); });
}

/// Solves a problem with the settings.
using Search = std::function<solve::GeneralResult(const solve::GeneralSettings&)>;

/// Lists more and more solutions until one is worse than the first.
OneResult list_optima(const Search& solve, solve::GeneralSettings settings) {
  constexpr int kFirst = 16;
  constexpr int kTimes = 25;
  const double limit_s = settings.solver.time_limit_s;
  const Stopwatch since_begin;
  for (int top = kFirst;; top = std::min(kTimes * top, kMostListed)) {
    settings.solver.top = top;
    settings.solver.time_limit_s = limit_s - since_begin.seconds();
    OneResult result{solve(settings), false};
    std::vector<solve::Solution>& best = result.found.best;
    const bool proved = result.found.status == qubo::Status::ProvedOptimal;
    const auto end = end_of_best(best);
    result.complete = proved && (std::ssize(best) < top || end != best.end());
    if (result.complete || !proved || top == kMostListed) {
      best.erase(end, best.end());
      return result;
    }
  }
}

OneResult search(const Search& solve, const OneSettings& settings) {
  return settings.all_optima ? list_optima(solve, settings.general)
                             : OneResult{solve(settings.general), false};
}

/// The result if all variables are fixed.
OneResult only(const TwoDoubles& energy, std::vector<std::uint8_t> x) {
  OneResult result;
  result.found.best.emplace_back(energy, std::move(x));
  result.found.bound = energy.value;
  result.found.status = qubo::Status::ProvedOptimal;
  result.found.method = result.found.found_by = result.found.proved_by = "fixed";
  result.found.optima = 1;
  result.complete = true;
  return result;
}

/// The polynomial with fixed variables as constraints.
qubo::Polynomial with_fixed(const OneSettings& settings) {
  qubo::Polynomial p = *settings.constrained;
  const double zero = p.vartype == qubo::Vartype::Spin ? -1.0 : 0.0;
  const auto count = std::min(p.n, static_cast<int>(settings.fixed.size()));
  for (int i = 0; i < count; ++i) {
    if (const std::uint8_t value = settings.fixed[at(i)]; value != qubo::kFree) {
      p.constraints.push_back(
          {"fixed", {{i, i, 1.0}}, qubo::Relation::Equal, value != 0 ? 1.0 : zero});
    }
  }
  return p;
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

bool differ(const qubo::Polynomial& p,
            const solve::Solution& a,
            const solve::Solution& b) {
  ExactSum difference = qubo::exact_value(p, a.x);
  difference.subtract(qubo::exact_value(p, b.x));
  return difference.value() != 0.0;
}

/// Finds several solutions one after the other; each search excludes earlier ones.
OneResult keep_constraints(const qubo::Quadratic& f,
                           const OneSettings& settings,
                           const Rng& rng,
                           const std::stop_token& stop) {
  const Stopwatch since_begin;
  qubo::Polynomial p = with_fixed(settings);
  solve::GeneralSettings general = settings.general;
  const int most = settings.all_optima ? kMostKept : general.solver.top;
  general.solver.top = 1;
  std::optional<OneResult> all;
  for (int k = 0; k < most; ++k) {
    general.solver.time_limit_s =
        (most == 1 ? 1.0 : 0.5) *
        (settings.general.solver.time_limit_s - since_begin.seconds());
    const bool same = k == 0 && settings.fixed.empty();
    auto [found, penalised] =
        solve::solve_constrained(p,
                                 same ? f : qubo::reduced(p, "constraints").f,
                                 general,
                                 rng.fork(at(k)),
                                 stop);
    solve::Solution& best = found.best.front();
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    if (all && (qubo::violated(p, best.x) >= 0 ||
                (settings.all_optima && differ(p, best, all->found.best.front())))) {
      all->complete = proved;
      break;
    }
    general.improved = {};  // later optima are not better
    general.bounded = {};
    p.constraints.push_back(all_but(best.x, p.vartype));
    if (!all) {
      all = {std::move(found), false, penalised};
    } else {
      all->found.best.push_back(std::move(best));
    }
    if (!proved) {
      all->found.status = found.status;
    }
    if (!proved && settings.all_optima) {
      break;
    }
  }
  for (solve::Solution& s : all->found.best) {
    for (int i = 0; i < p.n && !settings.fixed.empty(); ++i) {
      s.x[at(i)] =
          settings.fixed[at(i)] != qubo::kFree ? settings.fixed[at(i)] : s.x[at(i)];
    }
  }
  return *std::move(all);
}

}  // namespace

OneResult solve_one(const qubo::Quadratic& f,
                    OneSettings settings,
                    const Rng& rng,
                    const std::stop_token& stop) {
  if (settings.constrained != nullptr) {
    return keep_constraints(f, settings, rng, stop);
  }
  const qubo::Polynomial* own = settings.own_form;
  const auto solve = [&](const qubo::Quadratic& g, const qubo::Polynomial* p) {
    return search(
        [&](const solve::GeneralSettings& general) {
          if (p != nullptr) {
            return solve::solve_in_own_form(*p, general, rng, stop);
          }
          auto found = solve::solve_as_products(g, general, rng, stop);
          return found ? *std::move(found)
                       : solve::solve_general(g, general, rng, stop);
        },
        settings);
  };
  if (settings.fixed.empty()) {
    return solve(f, own);
  }
  std::vector<std::uint8_t> values = std::exchange(settings.fixed, {});
  if (own != nullptr) {
    values.resize(at(own->n));
  }
  const auto whole = [&](std::span<const std::uint8_t> x) {
    return qubo::filled(values, x);
  };
  if (std::ranges::count(values, qubo::kFree) == 0) {
    const ExactSum energy = own != nullptr ? qubo::exact_value(*own, values)
                                           : qubo::exact_energy(f, values);
    return only(energy.two(), values);
  }
  solve::GeneralSettings& general = settings.general;
  if (!general.initial.empty()) {
    general.initial = qubo::free_part(values, general.initial);
  }
  if (general.sampled) {
    general.sampled = [&, tell = std::move(general.sampled)](
                          std::span<const std::uint8_t> x) { tell(whole(x)); };
  }
  OneResult result;
  if (own != nullptr) {
    const qubo::Polynomial rest = qubo::fixed(*own, values);
    result = solve(f, &rest);
  } else {
    result = solve(qubo::Fixed(f, values).rest(), nullptr);
  }
  for (solve::Solution& s : result.found.best) {
    s.x = whole(s.x);
  }
  return result;
}

}  // namespace oa::app
