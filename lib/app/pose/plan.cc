#include "app/pose/plan.h"

#include "app/solve/options.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/solve/stream/image.h"
#include "oa/solve/stream/real.h"

#include <algorithm>
#include <cmath>

namespace oa::app {
namespace {

// The mean of so many is within a few percent, and they take about 1 s.
constexpr std::int64_t kSample = 32;

/// Measures the length of a stream.
class Length {
 public:
  Length() : output_("/dev/null"), writer_(output_) {
    writer_.head({}, {}, io::Series::Tasks);
    head_ = writer_.bytes();
  }
  [[nodiscard]] io::StreamWriter& writer() { return writer_; }
  [[nodiscard]] std::uint64_t bytes() const { return writer_.bytes() - head_; }

 private:
  io::Output output_;
  io::StreamWriter writer_;
  std::uint64_t head_ = 0;
};

qubo::SolvedProblem solve(qubo::Problem problem, Context& context) {
  if (problem.coefficients != Coefficients::Binary &&
      problem.coefficients != Coefficients::Levels) {
    return solve::solve_real(std::move(problem),
                             {.limit_s = 0.0, .times = true, .token = context.token()},
                             "plan");
  }
  const Chosen chosen = choose_solver({});
  const Rng rng = Rng(1).fork(static_cast<std::uint64_t>(problem.index));
  return solve::solve_image(std::move(problem),
                            {.method = chosen.method,
                             .solver = chosen.settings,
                             .times = true,
                             .token = context.token()},
                            rng);
}

}  // namespace

Plan make_plan(const std::function<std::vector<qubo::Problem>(std::int64_t k)>& pose,
               const ExampleSource& source,
               Context& context) {
  Plan plan;
  plan.examples = source.size();
  Length problems;
  Length solutions;
  const std::int64_t wanted = std::min(kSample, source.size());
  context.progress().start("examples", wanted);
  for (; plan.sample < wanted && !context.interrupted(); ++plan.sample) {
    const Stopwatch posing;
    auto heads = pose(plan.sample * source.size() / wanted);
    plan.posing_s += posing.seconds();
    for (qubo::Problem& problem : heads) {
      plan.qubos += problem.n;
      plan.variables = std::max(plan.variables, problem.m);
      io::write_problem(problems.writer(), problem);
      const Stopwatch solving;
      const qubo::SolvedProblem solution = solve(std::move(problem), context);
      plan.solving_s += solving.seconds();
      io::write_solution(solutions.writer(), solution);
    }
    context.progress().advance(1);
  }
  context.progress().finish();
  const double all = static_cast<double>(plan.examples) /
                     static_cast<double>(std::max<std::int64_t>(1, plan.sample));
  const auto of_all = [&](auto of_sample) {
    return static_cast<std::int64_t>(
        std::llround(static_cast<double>(of_sample) * all));
  };
  plan.qubos = of_all(plan.qubos);
  plan.problem_bytes = of_all(problems.bytes());
  plan.solution_bytes = of_all(solutions.bytes());
  plan.posing_s *= all;
  plan.solving_s *= all;
  return plan;
}

std::string Plan::text() const {
  return format_grouped(examples) + " examples, " + format_grouped(qubos) +
         " problems of up to " + format(variables) + " variables\n" +
         format_grouped(problem_bytes) + " bytes of problems, " +
         format_grouped(solution_bytes) + " bytes with solutions\n" +
         format_fixed(posing_s, 2) + " core-seconds to pose them, " +
         format_fixed(solving_s, 2) + " to solve them, estimated from " +
         format(sample) + " examples\n";
}

std::string Plan::json() const {
  return JsonObject{{"examples", examples},
                    {"qubos", qubos},
                    {"variables", variables},
                    {"problem_bytes", problem_bytes},
                    {"solution_bytes", solution_bytes},
                    {"posing_core_seconds", JsonValue::shortest(posing_s)},
                    {"solving_core_seconds", JsonValue::shortest(solving_s)},
                    {"sample", sample}}
             .text() +
         "\n";
}

}  // namespace oa::app
