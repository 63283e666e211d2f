#include "app/solve/least_squares.h"

#include "app/solve/problem_solver.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/base/stopwatch.h"
#include "oa/encode/exact_squares.h"
#include "oa/report/run_report.h"
#include "oa/solve/single/solve_model.h"
#include "oa/solve/stream/image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace oa::app {
namespace {

constexpr std::int64_t kMaxNodes = 3'000'000;  // default limit of a proof
constexpr double kHalfUlp = 0x1p-53;

using qubo::Status;

/// The problem of one matrix V, and its solutions.
class OneProblem {
 public:
  OneProblem(const ArrayProblems& problems,
             std::int64_t k,
             const SolveTask& task,
             std::stop_token token)
      : problems_(problems),
        task_(task),
        token_(std::move(token)),
        numbers_(problems.numbers(k)),
        posed_(problems.pose(k, numbers_).problem),
        exact_(problems.squares(numbers_), problems.alphabet(), posed_) {
    for (int i = 0; i < posed_.n; ++i) {
      rounding_.push_back(exact_.rounding(i));
    }
  }

  /// Solves in single precision, and proves again where rounding may matter.
  void solve(const ProblemSolver& solver, int threads) {
    s_ = solver.solve(posed_, "");
    const std::vector<int> levels = score::levels_of(s_, problems_.alphabet());
    levels_.assign(levels.begin(), levels.end());
    doubtful_.resize(at(posed_.n));
    for (std::size_t i = 0; i < doubtful_.size(); ++i) {
      doubtful_[i] = s_.status[i] == Status::ProvedOptimal && rounding_[i] > 0.0;
    }
    if (std::ranges::count(doubtful_, true) > 0) {
      look_at_second_best();
    }
    for (int i = 0; i < posed_.n; ++i) {
      if (doubtful_[at(i)]) {
        prove(i, threads);
      }
    }
  }

  [[nodiscard]] const qubo::SolvedProblem& solution() const { return s_; }

  /// Writes the solutions as the rows from `first` on.
  void put(std::int64_t first, LeastSquaresSolutions& to) const {
    std::ranges::copy(levels_, to.levels.begin() + first * posed_.m);
    for (int i = 0; i < posed_.n; ++i) {
      const std::size_t row = at(first + i);
      ExactSum bound = exact_.constant(i);
      bound.add(s_.bound[at(i)] - rounding_[at(i)]);
      to.bound[row] = bound.rounded_down();
      to.proved[row] = s_.status[at(i)] == Status::ProvedOptimal ? 1 : 0;
      to.stopped[row] = s_.status[at(i)] == Status::Stopped ? 1 : 0;
      to.seconds[row] = s_.seconds[at(i)];
    }
  }

 private:
  [[nodiscard]] double limit_s() const {
    return task_.solving.time_limit_s > 0.0 ? task_.solving.time_limit_s
                                            : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] bool limits_nodes() const {
    return task_.solving.settings.max_nodes != solve::Settings().max_nodes;
  }

  /// Settings of a proof for what a query has left of its time.
  [[nodiscard]] solve::Settings settings(int top, double seconds) const {
    return {.top = top,
            .time_limit_s = limit_s() - seconds,
            .max_nodes = limits_nodes() ? task_.solving.settings.max_nodes : kMaxNodes};
  }

  /// Ends doubts where the second best solution is too far for rounding to change the
  /// best.
  void look_at_second_best() {
    const solve::Settings two = settings(2, *std::ranges::max_element(s_.seconds));
    if (two.time_limit_s <= 0.0) {
      return;
    }
    const qubo::SolvedProblem found =
        solve::solve_image(posed_,
                           {.method = solve::exact_method(),
                            .solver = two,
                            .times = true,
                            .token = token_},
                           Rng(1));
    for (std::size_t i = 0; i < doubtful_.size(); ++i) {
      s_.seconds[i] += doubtful_[i] ? found.seconds[i] : 0.0;
      if (found.status[i] == Status::ProvedOptimal && found.top_count[i] > 1) {
        const double second = found.top_energy[2 * i + 1];
        const double ulps = kHalfUlp * (std::abs(second) + std::abs(found.energy[i]));
        const double gap = second - found.energy[i] - 2.0 * ulps;
        doubtful_[i] = doubtful_[i] && gap <= 2.0 * rounding_[i];
      }
    }
  }

  /// Solves query i in exact numbers.
  void prove(int i, int threads) {
    Status& status = s_.status[at(i)];
    double& seconds = s_.seconds[at(i)];
    solve::ModelSettings how{.solver = settings(1, seconds),
                             .method = &solve::exact_method(),
                             .threads = threads};
    if (how.solver.time_limit_s <= 0.0 || std::isinf(rounding_[at(i)])) {
      status = how.solver.time_limit_s <= 0.0 ? Status::Stopped : Status::BestFound;
      return;
    }
    const Stopwatch since_begin;
    const auto levels = std::span(levels_).subspan(at(i) * at(posed_.m), at(posed_.m));
    how.known = exact_.digits_of(levels);
    const solve::ModelResult found =
        solve::solve_model(exact_.function(i), how, Rng(1), token_);
    std::ranges::copy(exact_.levels_of(found.best.front().x), levels.begin());
    take(i, levels);
    const bool limited =
        limits_nodes() || task_.solving.time_limit_s > 0.0 || token_.stop_requested();
    status =
        found.status == Status::Stopped && !limited ? Status::BestFound : found.status;
    seconds += since_begin.seconds();
  }

  /// Replaces the solution of query i.
  void take(int i, std::span<const std::uint8_t> levels) {
    const auto x = s_.problem.x_row(s_.x, i);
    if (posed_.coefficients == Coefficients::Levels) {
      std::ranges::copy(qubo::spins_of(qubo::code_of(posed_), levels), x.begin());
    } else {
      std::ranges::copy(levels, x.begin());
    }
    s_.energy[at(i)] = qubo::energy(posed_, i, x);
    s_.bound[at(i)] = std::min(s_.bound[at(i)], s_.energy[at(i)]);
  }

  const ArrayProblems& problems_;
  const SolveTask& task_;
  std::stop_token token_;
  ArrayProblems::Numbers numbers_;
  qubo::Problem posed_;
  encode::ExactSquares exact_;
  std::vector<double> rounding_;
  std::vector<bool> doubtful_;
  qubo::SolvedProblem s_;
  std::vector<std::uint8_t> levels_;
};

}  // namespace

LeastSquaresSolutions solve_least_squares(const ArrayProblems& problems,
                                          const SolveTask& task,
                                          const Truth* truth,
                                          Progress& progress,
                                          const std::stop_source& stop) {
  const int threads = task.common.threads;
  const std::int64_t rows = problems.size() * problems.queries();
  LeastSquaresSolutions all;
  all.levels.resize(at(rows * problems.coefficients()));
  all.bound.resize(at(rows), -std::numeric_limits<double>::infinity());
  all.proved.resize(at(rows));
  all.stopped.resize(at(rows), 1);
  all.seconds.resize(at(rows));
  const ProblemSolver solver(task, stop.get_token());
  const auto inner = static_cast<int>(std::max<std::int64_t>(
      1, threads / std::min<std::int64_t>(threads, problems.size())));
  score::Run run;
  std::int64_t next = 0;
  std::int64_t done = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < problems.size() && !stop.stop_requested() ? std::optional(next++)
                                                            : std::nullopt;
  };
  const auto solve = [&](std::int64_t k, int) {
    auto one = std::make_unique<OneProblem>(problems, k, task, stop.get_token());
    one->solve(solver, inner);
    return one;
  };
  const auto put = [&](const std::unique_ptr<OneProblem>& one) {
    one->put(done * problems.queries(), all);
    ++done;
    const qubo::SolvedProblem& s = one->solution();
    if (truth != nullptr) {
      run.add_solution(s);
      run.add_least_squares(score::count_least_squares(
          s,
          problems.alphabet(),
          truth->levels(s.problem, problems.size(), problems.alphabet())));
    }
    progress.advance(problems.queries());
  };
  progress.start("problems", rows);
  ordered_pipeline(threads, stop, read, solve, put);
  progress.finish();
  if (run.least_squares) {
    run.complete = done == problems.size();
    all.score = report::report_json(run, {});
  }
  return all;
}

}  // namespace oa::app
