#include "app/solve_one.h"

#include "oa/qubo/fixed.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace oa::app {
namespace {

using OptimaClock = std::chrono::steady_clock;

/// The end of the solutions that are as good as the first.
auto end_of_best(const qubo::Quadratic& f, std::vector<solve::Solution>& all) {
  const ExactSum least = qubo::exact_energy(f, all.front().x);
  return std::ranges::find_if(all, [&](const solve::Solution& s) {
    ExactSum difference = qubo::exact_energy(f, s.x);
    difference.subtract(least);
    return difference.value() != 0.0;
  });
}

/// Lists more and more of the lowest solutions, until one is worse than the first.
OneResult list_optima(const qubo::Quadratic& f,
                      solve::GeneralSettings settings,
                      const Rng& rng,
                      const std::stop_token& stop) {
  constexpr int kFirst = 16;
  constexpr int kTimes = 25;
  const double limit_s = settings.solver.time_limit_s;
  const auto begin = OptimaClock::now();
  for (int top = kFirst;; top = std::min(kTimes * top, kMostListed)) {
    settings.solver.top = top;
    const std::chrono::duration<double> taken = OptimaClock::now() - begin;
    settings.solver.time_limit_s = limit_s - taken.count();
    OneResult result{solve::solve_general(f, settings, rng, stop), false};
    std::vector<solve::Solution>& best = result.found.best;
    const bool proved = result.found.status == qubo::Status::ProvedOptimal;
    const auto end = end_of_best(f, best);
    result.complete = proved && (std::ssize(best) < top || end != best.end());
    if (result.complete || !proved || top == kMostListed) {
      best.erase(end, best.end());
      return result;
    }
  }
}

OneResult search(const qubo::Quadratic& f,
                 const OneSettings& settings,
                 const Rng& rng,
                 const std::stop_token& stop) {
  return settings.all_optima
             ? list_optima(f, settings.general, rng, stop)
             : OneResult{solve::solve_general(f, settings.general, rng, stop), false};
}

/// Nothing is left to be solved.
OneResult only(const qubo::Quadratic& f, std::vector<std::uint8_t> x) {
  OneResult result;
  const TwoDoubles energy = qubo::exact_energy(f, x).two();
  result.found.best.emplace_back(energy, std::move(x));
  result.found.bound = energy.value;
  result.found.status = qubo::Status::ProvedOptimal;
  result.found.method = "fixed";
  result.found.optima = 1;
  result.complete = true;
  return result;
}

}  // namespace

OneResult solve_one(const qubo::Quadratic& f,
                    OneSettings settings,
                    const Rng& rng,
                    const std::stop_token& stop) {
  if (settings.fixed.empty()) {
    return search(f, settings, rng, stop);
  }
  const qubo::Fixed fixed(f, std::exchange(settings.fixed, {}));
  if (fixed.rest().size() == 0) {
    return only(f, fixed.whole({}));
  }
  solve::GeneralSettings& general = settings.general;
  if (!general.initial.empty()) {
    general.initial = fixed.part(general.initial);
  }
  if (general.sampled) {
    general.sampled = [&, tell = std::move(general.sampled)](
                          std::span<const std::uint8_t> x) { tell(fixed.whole(x)); };
  }
  OneResult result = search(fixed.rest(), settings, rng, stop);
  for (solve::Solution& s : result.found.best) {
    s.x = fixed.whole(s.x);
  }
  return result;
}

}  // namespace oa::app
