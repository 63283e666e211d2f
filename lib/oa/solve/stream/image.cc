#include "oa/solve/stream/image.h"

#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/stream/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// Formats the number of answers by each method: "exact 47, tabu 2".
std::string counted(const std::map<std::string_view, int>& methods) {
  std::string text;
  for (const auto& [name, count] : methods) {
    text += (text.empty() ? "" : ", ") + std::string(name) +
            (methods.size() > 1 ? " " + format(std::int64_t{count}) : "");
  }
  return text;
}

/// Inserts `s` into the best solutions of `to`.
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

/// Solves the problems of one image.
class ImageRun {
 public:
  ImageRun(qubo::Problem problem, const ImageSettings& settings, const Rng& rng)
      : settings_(settings),
        rng_(rng),
        s_(prepared(std::move(problem), settings.solver.top)),
        j_(s_.problem.m, s_.problem.j) {}

  qubo::SolvedProblem operator()() {
    const qubo::Problem& p = s_.problem;
    std::vector<int> queries(static_cast<std::size_t>(p.n));
    std::iota(queries.begin(), queries.end(), 0);
    auto solver = make(j_, queries.size());
    if (p.sizes.empty() || solver->takes_leading_blocks()) {
      solve(*solver, queries);
      return finished();
    }
    // Solves queries of equal size in sequence,
    // so that they share the preparation of their block.
    std::ranges::stable_sort(queries, {}, [&](int i) { return p.size(i); });
    for (std::size_t first = 0; first < queries.size();) {
      const int size = p.size(queries[first]);
      std::size_t last = first;
      while (last < queries.size() && p.size(queries[last]) == size) {
        ++last;
      }
      preparing_ = Stopwatch();
      const qubo::Matrix block = j_.leading(size);
      solve(*make(block, last - first),
            std::span(queries).subspan(first, last - first));
      first = last;
    }
    return finished();
  }

 private:
  static qubo::SolvedProblem prepared(qubo::Problem problem, int top) {
    qubo::SolvedProblem s;
    s.problem = std::move(problem);
    const auto n = static_cast<std::size_t>(s.problem.n);
    const std::size_t variables = s.problem.variables();
    s.x.resize(variables);
    s.energy.resize(n);
    s.bound.resize(n);
    s.status.resize(n);
    s.seconds.resize(n);
    s.nodes.resize(n);
    if (top > 1) {
      s.top = top;
      s.top_count.resize(n);
      s.top_x.resize(variables * static_cast<std::size_t>(top));
      s.top_energy.resize(n * static_cast<std::size_t>(top));
    }
    return s;
  }

  std::unique_ptr<Solver> make(const qubo::Matrix& j, std::size_t problems) const {
    const double limit = settings_.solver.time_limit_s;
    return settings_.method.make_solver(
        j,
        settings_.solver,
        Stop(settings_.token, 0.5 * limit * static_cast<double>(problems)));
  }

  void solve(Solver& solver, std::span<const int> queries) {
    const double shared = preparing_.seconds() / static_cast<double>(queries.size());
    const double limit = settings_.solver.time_limit_s;
    const Stop unlimited(settings_.token, std::numeric_limits<double>::infinity());
    for (const int i : queries) {
      const Stopwatch solving;
      const auto floats = s_.problem.query(i);
      h_.assign(floats.begin(), floats.end());
      const auto solve_until = [&](const Stop& stop) {
        return solver.solve(h_, rng_.fork(static_cast<std::uint64_t>(i)), stop);
      };
      Result result = std::isfinite(limit)
                          ? solve_until({settings_.token, limit - shared})
                          : solve_until(unlimited);
      if (result.status == qubo::Status::Stopped) {
        insert_better(descended(), settings_.solver.top, result);
      }
      put(i, result);
      s_.seconds[static_cast<std::size_t>(i)] =
          settings_.times ? shared + solving.seconds() : 0.0;
    }
  }

  /// Returns the solution of greedy for h_.
  Solution descended() {
    const int size = static_cast<int>(h_.size());
    if (!descent_ || descent_block_->size() != size) {
      descent_.reset();
      descent_block_ = j_.leading(size);
      descent_ = make_greedy(*descent_block_, settings_.solver, {});
    }
    return descent_->solve(h_, rng_, {}).best.front();
  }

  void put(int i, const Result& result) {
    const auto q = static_cast<std::size_t>(i);
    const Solution& best = result.best.front();
    std::ranges::copy(best.x, s_.problem.row(s_.x, i).begin());
    s_.energy[q] = best.energy;
    s_.bound[q] = result.bound;
    s_.status[q] = result.status;
    s_.nodes[q] = result.nodes;
    ++methods_[result.method.empty() ? settings_.method.name : result.method];
    if (s_.top == 0) {
      return;
    }
    s_.top_count[q] = std::ssize(result.best);
    for (int k = 0; k < static_cast<int>(result.best.size()); ++k) {
      const Solution& one = result.best[static_cast<std::size_t>(k)];
      std::ranges::copy(one.x, s_.top_row(i, k).begin());
      s_.top_energy[q * static_cast<std::size_t>(s_.top) +
                    static_cast<std::size_t>(k)] = one.energy;
    }
  }

  qubo::SolvedProblem finished() {
    s_.solver = counted(methods_);
    return std::move(s_);
  }

  const ImageSettings& settings_;
  const Rng& rng_;
  qubo::SolvedProblem s_;
  Stopwatch preparing_;  // shared preparation
  qubo::Matrix j_;
  std::vector<double> h_;
  std::optional<qubo::Matrix> descent_block_;
  std::unique_ptr<Solver> descent_;  // constructed at first use, which is rare
  std::map<std::string_view, int> methods_;
};

}  // namespace

qubo::SolvedProblem solve_image(qubo::Problem problem,
                                const ImageSettings& settings,
                                const Rng& rng) {
  if (problem.coefficients == Coefficients::Levels) {
    return solve_levels(std::move(problem), settings, rng);
  }
  return ImageRun(std::move(problem), settings, rng)();
}

}  // namespace oa::solve
