#include "oa/solve/image.h"

#include "oa/base/number.h"
#include "oa/solve/heuristic/heuristics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// "exact 47, tabu 2": whose answers these are.
std::string counted(const std::map<std::string_view, int>& methods) {
  std::string text;
  for (const auto& [name, count] : methods) {
    text += (text.empty() ? "" : ", ") + std::string(name) +
            (methods.size() > 1 ? " " + format(std::int64_t{count}) : "");
  }
  return text;
}

/// Row `q` of the coefficients, and their energy.
void put_best(const Result& result, std::size_t q, qubo::ImageSolution& to) {
  const auto m = static_cast<std::size_t>(to.problem.m);
  const Solution& best = result.best.front();
  std::ranges::copy(best.x, to.x.begin() + static_cast<std::ptrdiff_t>(q * m));
  to.energy.push_back(best.energy);
}

/// The rows of query `q` in the tables of the lowest solutions.
void put_top(const std::vector<Solution>& best,
             std::size_t q,
             qubo::ImageSolution& to) {
  const auto m = static_cast<std::size_t>(to.problem.m);
  const auto first = q * static_cast<std::size_t>(to.top);
  to.top_count[q] = std::ssize(best);
  for (std::size_t k = 0; k < best.size(); ++k) {
    std::ranges::copy(best[k].x,
                      to.top_x.begin() + static_cast<std::ptrdiff_t>((first + k) * m));
    to.top_energy[first + k] = best[k].energy;
  }
}

/// Puts `s` among the best of `to`.
void insert_better(const Solution& s, int top, Result& to) {
  if (s < to.best.front() && !to.method.empty()) {
    to.method = "greedy";
  }
  Pool pool(top);
  pool.insert(s.energy, s.x);
  for (const Solution& one : to.best) {
    pool.insert(one.energy, one.x);
  }
  to.best = pool.take_best();
}

}  // namespace

qubo::ImageSolution solve_image(qubo::ImageProblem problem,
                                const ImageSettings& settings,
                                const Rng& rng) {
  const Settings& asked = settings.solver;
  const std::stop_token& token = settings.token;
  qubo::ImageSolution s;
  s.problem = std::move(problem);
  const auto n = static_cast<std::size_t>(s.problem.n);
  const auto m = static_cast<std::size_t>(s.problem.m);
  s.x.resize(n * m);
  s.seconds.resize(n);
  if (asked.top > 1) {
    s.top = asked.top;
    s.top_count.resize(n);
    s.top_x.resize(n * static_cast<std::size_t>(s.top) * m);
    s.top_energy.resize(n * static_cast<std::size_t>(s.top));
  }
  const auto begin = Clock::now();
  const qubo::Matrix j(s.problem.m, s.problem.j);
  const double limit = asked.time_limit_s;
  const auto solver = settings.method.make_solver(
      j, asked, Stop(token, 0.5 * limit * static_cast<double>(n)));
  const double shared = seconds_since(begin) / static_cast<double>(n);
  const Stop unlimited(token, std::numeric_limits<double>::infinity());
  std::unique_ptr<Solver> descent;  // made when first needed, which is rarely
  std::vector<double> h(m);
  std::map<std::string_view, int> methods;
  for (std::size_t q = 0; q < n; ++q) {
    const auto started = Clock::now();
    std::ranges::copy(s.problem.query(static_cast<int>(q)), h.begin());
    const auto solve = [&](const Stop& stop) {
      return solver->solve(h, rng.fork(q), stop);
    };
    Result result =
        std::isfinite(limit) ? solve({token, limit - shared}) : solve(unlimited);
    if (result.status == qubo::Status::Stopped) {
      if (!descent) {
        descent = make_greedy(j, asked, {});
      }
      insert_better(descent->solve(h, rng, {}).best.front(), asked.top, result);
    }
    put_best(result, q, s);
    s.bound.push_back(result.bound);
    ++methods[result.method.empty() ? settings.method.name : result.method];
    s.status.push_back(result.status);
    if (s.top > 0) {
      put_top(result.best, q, s);
    }
    s.seconds[q] = settings.times ? shared + seconds_since(started) : 0.0;
  }
  s.solver = counted(methods);
  return s;
}

}  // namespace oa::solve
