#include "oa/solve/method/method.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <array>
#include <memory>

// Exact as long as that is quick; else the best of the heuristics, with what the exact
// search has proved so far.

namespace oa::solve {
namespace {

constexpr std::int64_t kNodes = 100'000;  // a tenth of a second at 49 variables
constexpr std::array<std::string_view, 3> kHeuristics{"tabu", "sa", "sb-discrete"};

class Automatic {
 public:
  Automatic(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
      : j_(j),
        settings_(settings),
        pool_(settings.top) {
    Settings quick = settings;
    quick.max_nodes = std::min(settings.max_nodes, kNodes);
    exact_ = exact(j, quick, stop);
  }

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) {
    Result result =
        stop.limited() ? exact_(h, rng, stop.share(0.5)) : exact_(h, rng, stop);
    result.method = "exact";
    if (result.status == qubo::Status::ProvedOptimal || stop()) {
      return result;
    }
    pool_ = Pool(settings_.top);
    take(result, result.method, result);
    const std::size_t all = kHeuristics.size();
    for (std::size_t i = 0; i < all && !stop(); ++i) {
      const Stop part = stop.share(1.0 / static_cast<double>(all - i));
      take(heuristic(i, stop)(h, rng.fork(0).fork(i), part), kHeuristics[i], result);
    }
    result.best = pool_.take();
    result.status =
        stop.limited() || stop() ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

 private:
  // Prepared when first needed, which is rarely.
  const Solver& heuristic(std::size_t i, const Stop& stop) {
    if (!heuristics_[i]) {
      heuristics_[i] = find_method(kHeuristics[i])->prepare(j_, settings_, stop);
    }
    return heuristics_[i];
  }

  void take(const Result& from, std::string_view method, Result& to) {
    for (const Solution& s : from.best) {
      const bool first = pool_.best().empty() || s < pool_.best()[0];
      if (pool_.insert(s.value(), s.x) && first) {
        to.method = method;
      }
    }
  }

  const qubo::Matrix& j_;
  Settings settings_;
  Pool pool_;
  Solver exact_;
  std::array<Solver, kHeuristics.size()> heuristics_;
};

}  // namespace

Solver automatic(const qubo::Matrix& j, const Settings& settings, const Stop& stop) {
  const auto solver = std::make_shared<Automatic>(j, settings, stop);
  return [solver](std::span<const double> h, const Rng& rng, const Stop& until) {
    return solver->solve(h, rng, until);
  };
}

}  // namespace oa::solve
