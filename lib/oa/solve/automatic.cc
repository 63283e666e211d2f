#include "oa/solve/method.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

// Exact as long as that is quick; else the best of the heuristics, with what the exact
// search has proved so far.

namespace oa::solve {
namespace {

constexpr std::int64_t kNodes = 100'000;  // a tenth of a second at 49 variables
constexpr std::array<std::string_view, 3> kHeuristics{"tabu", "sa", "sb-discrete"};

class Automatic {
 public:
  Automatic(const qubo::Matrix& j, const Settings& settings)
      : j_(j),
        settings_(settings),
        pool_(settings.top) {
    Settings quick = settings;
    quick.max_nodes = std::min(settings.max_nodes, kNodes);
    quick.time_limit_s = 0.5 * settings.time_limit_s;
    exact_ = exact(j, quick);
  }

  Result solve(std::span<const double> h,
               const Rng& rng,
               const std::stop_token& token) {
    Result result = exact_(h, rng, token);
    result.method = "exact";
    if (result.status == qubo::Status::ProvedOptimal || token.stop_requested()) {
      return result;
    }
    const Stop stop(token, 0.5 * settings_.time_limit_s);
    pool_ = Pool(settings_.top);
    take(result, result.method, result);
    const bool limited =
        settings_.time_limit_s < std::numeric_limits<double>::infinity();
    for (std::uint64_t round = 0; round == 0 || (limited && !stop()); ++round) {
      for (std::size_t i = 0; i < kHeuristics.size() && !token.stop_requested(); ++i) {
        take(heuristic(i)(h, rng.fork(round).fork(i), token), kHeuristics[i], result);
      }
    }
    result.best = pool_.take();
    result.status = limited || token.stop_requested() ? qubo::Status::Stopped
                                                      : qubo::Status::BestFound;
    return result;
  }

 private:
  // Prepared when first needed, which is rarely.
  const Solver& heuristic(std::size_t i) {
    if (!heuristics_[i]) {
      heuristics_[i] = find_method(kHeuristics[i])->prepare(j_, settings_);
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

Solver automatic(const qubo::Matrix& j, const Settings& settings) {
  const auto solver = std::make_shared<Automatic>(j, settings);
  return
      [solver](std::span<const double> h, const Rng& rng, const std::stop_token& stop) {
        return solver->solve(h, rng, stop);
      };
}

}  // namespace oa::solve
