#include "oa/solve/stream/levels.h"

#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/box/level_search.h"
#include "oa/solve/heuristic/heuristics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kLevelNodes = 3'000'000;  // if time is unlimited: about 0.1 s
constexpr std::string_view kInLevels = "levels";

class LevelRun {
 public:
  LevelRun(qubo::Problem problem, const ImageSettings& settings, const Rng& rng)
      : settings_(settings),
        rng_(rng),
        problem_(std::move(problem)),
        code_(qubo::code_of(problem_)),
        j_(problem_.m, problem_.j) {
    if (settings.method.searches_levels) {
      Settings quick = settings.solver;
      if (!std::isfinite(limit_s())) {
        quick.max_nodes = std::min(quick.max_nodes, kLevelNodes);
      }
      search_.emplace(j_, problem_.levels, quick, Stop(settings.token, limit_s()));
    }
  }

  qubo::SolvedProblem operator()() {
    qubo::SolvedProblem s;
    s.problem = problem_;
    s.top = settings_.solver.top > 1 ? settings_.solver.top : 0;
    s.top_x.resize(problem_.x_variables() * at(s.top));
    s.top_energy.resize(at(problem_.n) * at(s.top));
    const double shared = preparing_.seconds() / problem_.n;
    for (int i = 0; i < problem_.n; ++i) {
      const Stopwatch solving;
      const Stop stop(settings_.token, limit_s() - shared);
      const Result result = solved(i, stop);
      put(i, result, s);
      s.seconds.push_back(settings_.times ? shared + solving.seconds() : 0.0);
    }
    for (const auto& [name, count] : counts_) {
      s.solver += (s.solver.empty() ? "" : ", ") + std::string(name) +
                  (counts_.size() > 1 ? " " + format(count) : "");
    }
    return s;
  }

 private:
  [[nodiscard]] double limit_s() const { return settings_.solver.time_limit_s; }

  Result solved(int i, const Stop& stop) {
    if (!search_) {
      Result result = as_spins(i, stop);
      result.method = settings_.method.name;
      return result;
    }
    const double steps = problem_.steps[at(i)];
    linear_.clear();
    for (const float h : problem_.query(i)) {
      linear_.push_back(steps * double{h});
    }
    Result result = search_->solve(linear_, stop.limited() ? stop.share(0.5) : stop);
    for (Solution& s : result.best) {
      s.x = qubo::spins_of(code_, s.x);
    }
    result.method = kInLevels;
    if (result.status != qubo::Status::ProvedOptimal) {
      add_valid(i, as_spins(i, stop), result);
    }
    return result;
  }

  /// Solves query i as a QUBO of spins.
  Result as_spins(int i, const Stop& stop) {
    const qubo::SpinProblem spins = qubo::spin_problem(problem_, i);
    const Rng rng = rng_.fork(static_cast<std::uint64_t>(i));
    Result result;
    result.status = qubo::Status::Stopped;
    if (!stop()) {
      result = settings_.method.make_solver(spins.j, settings_.solver, stop)
                   ->solve(spins.h, rng, stop);
    }
    if (result.status == qubo::Status::Stopped) {
      Pool pool(settings_.solver.top);
      const Result greedy =
          make_greedy(spins.j, settings_.solver, {})->solve(spins.h, rng, {});
      pool.insert(greedy.best.front().value(), greedy.best.front().x);
      for (const Solution& s : result.best) {
        pool.insert(s.value(), s.x);
      }
      result.best = pool.take_best();
    }
    return result;
  }

  /// Repairs solutions found in spins and adds them to those found in levels.
  void add_valid(int i, const Result& from, Result& to) const {
    to.nodes += from.nodes;
    const qubo::SpinProblem spins = qubo::spin_problem(problem_, i);
    Pool pool(settings_.solver.top);
    for (const Solution& s : to.best) {
      pool.insert(s.value(), s.x);
    }
    const Solution before = pool.best().front();
    for (const Solution& s : from.best) {
      const auto y = qubo::spins_of(code_, qubo::levels_of(code_, s.x));
      pool.insert(qubo::energy(spins.j, spins.h, y), y);
    }
    to.best = pool.take_best();
    if (to.best.front() < before) {
      to.method = from.method;
    }
    // A bound over all spins also holds for valid spins.
    to.bound = std::max(to.bound, std::min(from.bound, to.best.front().energy));
    const bool proved = settings_.solver.top == 1 &&
                        from.status == qubo::Status::ProvedOptimal &&
                        from.best.front().energy == to.best.front().energy;
    to.status = proved ? qubo::Status::ProvedOptimal : from.status;
    if (!proved && to.status == qubo::Status::ProvedOptimal) {
      to.status = qubo::Status::BestFound;
    }
  }

  void put(int i, const Result& result, qubo::SolvedProblem& s) {
    const Solution& best = result.best.front();
    s.x.insert(s.x.end(), best.x.begin(), best.x.end());
    const double energy = qubo::energy(problem_, i, best.x);
    s.energy.push_back(energy);
    const double units = double{problem_.steps[at(i)]} * double{problem_.steps[at(i)]};
    s.bound.push_back(
        result.status == qubo::Status::ProvedOptimal
            ? energy
            : std::min(energy,
                       std::nextafter(result.bound / units,
                                      -std::numeric_limits<double>::infinity())));
    s.status.push_back(result.status);
    s.nodes.push_back(result.nodes);
    ++counts_[result.method];
    if (s.top == 0) {
      return;
    }
    s.top_count.push_back(std::ssize(result.best));
    for (int k = 0; k < static_cast<int>(result.best.size()); ++k) {
      const std::vector<std::uint8_t>& x = result.best[at(k)].x;
      std::ranges::copy(x, s.top_row(i, k).begin());
      s.top_energy[at(i) * at(s.top) + at(k)] = qubo::energy(problem_, i, x);
    }
  }

  const ImageSettings& settings_;
  const Rng& rng_;
  qubo::Problem problem_;
  qubo::LevelCode code_;
  Stopwatch preparing_;  // shared preparation
  qubo::Matrix j_;
  std::optional<LevelSearch> search_;  // set if the method searches levels
  std::vector<double> linear_;
  std::map<std::string_view, std::int64_t> counts_;
};

}  // namespace

qubo::SolvedProblem solve_levels(qubo::Problem problem,
                                 const ImageSettings& settings,
                                 const Rng& rng) {
  return LevelRun(std::move(problem), settings, rng)();
}

}  // namespace oa::solve
