#include "app/solve/stream.h"

#include "oa/base/parallel.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/report/run_report.h"
#include "oa/solve/stream/image.h"
#include "oa/solve/stream/real.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

namespace oa::app {
namespace {

/// A head frame as it was read, or a problem with its solution.
struct Item {
  io::Frame frame;
  Coefficients coefficients = Coefficients::Binary;
  qubo::SolvedProblem solution;  // empty for a head frame
};

class Writer {
 public:
  Writer(io::Output& output, Context& context)
      : writer_(output),
        output_(output),
        context_(context) {}

  void write(const Item& item) {
    if (item.frame.kind == io::FrameKind::Head) {
      if (begun_) {
        writer_.finish(item.frame.complete_before);
      }
      begun_ = true;
      writer_.copy_head(item.frame, context_.history(), item.coefficients);
      return;
    }
    io::write_solution(writer_, item.solution);
    output_.flush();  // for a reader that waits
    done_.add_solution(item.solution);
    if (item.solution.problem.place.head == 0) {
      ++images_;
      context_.progress().advance(1);
    }
  }
  void finish(bool complete) {
    writer_.finish(complete);
    output_.commit();
    done_.complete = complete;
  }
  [[nodiscard]] std::string summary(const std::string& solver, bool json) const {
    return json ? report::solving_json(done_, images_, solver)
                : report::solving_text(done_, images_, solver);
  }

 private:
  io::StreamWriter writer_;
  io::Output& output_;
  Context& context_;
  bool begun_ = false;
  score::Run done_;
  std::int64_t images_ = 0;
};

class Solver {
 public:
  Solver(const SolveTask& task, std::stop_token token)
      : task_(task),
        token_(std::move(token)),
        chosen_(choose_solver(task.solving)),
        rng_(task.common.seed) {}

  [[nodiscard]] Item operator()(io::Frame frame) const {
    const Coefficients kind =
        choose_coefficients(task_.solving, chosen_, frame.coefficients, frame.where);
    Item item{std::move(frame), kind, {}};
    if (item.frame.kind != io::FrameKind::Head) {
      item.solution = solve(item);
    }
    return item;
  }

 private:
  [[nodiscard]] qubo::SolvedProblem solve(const Item& item) const {
    qubo::Problem problem = io::read_problem(item.frame);
    problem.coefficients = item.coefficients;
    const bool times = !task_.no_times;
    if (item.coefficients != Coefficients::Binary &&
        item.coefficients != Coefficients::Levels) {
      return solve::solve_real(
          std::move(problem),
          {.limit_s = chosen_.settings.time_limit_s, .times = times, .token = token_},
          item.frame.where);
    }
    Rng rng = rng_.fork(static_cast<std::uint64_t>(problem.index));
    if (problem.place.heads > 1) {
      rng = rng.fork(static_cast<std::uint64_t>(problem.place.head));
    }
    return solve::solve_image(std::move(problem),
                              {.method = chosen_.method,
                               .solver = chosen_.settings,
                               .times = times,
                               .token = token_},
                              rng);
  }

  const SolveTask& task_;
  std::stop_token token_;
  Chosen chosen_;
  Rng rng_;
};

}  // namespace

Exit solve_stream(const SolveTask& task, io::Input input, Context& context) {
  const Solver solver(task, context.token());
  io::StreamReader reader(std::move(input));
  io::Output output = binary_output(task.common);
  Writer writer(output, context);
  const auto read = [&] { return reader.next(); };
  const auto solve = [&](io::Frame frame, int) { return solver(std::move(frame)); };
  context.progress().start("images", 0);
  ordered_pipeline(
      task.common.threads, context.stop(), read, solve, [&](const Item& item) {
        writer.write(item);
      });
  context.progress().finish();
  const bool complete = reader.complete();
  writer.finish(complete);
  if (!complete && !context.interrupted()) {
    context.warn(reader.name() + ": the stream is marked incomplete");
  }
  context.summarise(task.common, writer.summary(task.solving.solver, task.common.json));
  return context.status(complete);
}

}  // namespace oa::app
