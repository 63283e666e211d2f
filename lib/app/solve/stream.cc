#include "app/solve/stream.h"

#include "app/solve/problem_solver.h"
#include "app/solve/sampling.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/report/run_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace oa::app {
namespace {

/// A head frame, or a problem with its solution.
struct Item {
  io::Frame frame;
  Coefficients coefficients = Coefficients::Binary;
  qubo::SolvedProblem solution;  // empty for a head frame
  std::optional<SampledProblem> sampled = {};
};

/// Adds tensors of samples to a solution's frame.
void write_sampled(const qubo::SolvedProblem& s,
                   const SampledProblem& sampled,
                   io::StreamWriter& writer) {
  const std::int64_t levels =
      s.problem.coefficients == Coefficients::Levels ? s.problem.levels : 2;
  io::Shape states{std::ssize(sampled.states)};
  io::Shape shares{std::ssize(sampled.shares)};
  if (!s.problem.of_task()) {
    const std::int64_t row = std::int64_t{s.problem.m} * s.problem.spins();
    states = {s.problem.n, states[0] / (s.problem.n * row), row};
    shares = {s.problem.n, s.problem.m, levels};
  }
  io::write_solution(
      writer,
      s,
      {},
      {io::TensorView::of<std::uint8_t>("samples", states, sampled.states),
       io::TensorView::of<float>("marginals", shares, sampled.shares),
       io::TensorView::of<double>("effective", {s.problem.n}, sampled.effective)});
}

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
    if (item.sampled) {
      write_sampled(item.solution, *item.sampled, writer_);
    } else {
      io::write_solution(writer_, item.solution);
    }
    output_.flush();  // the reader may be waiting
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

/// Solves the problems of a frame; returns a head unchanged.
Item solve_frame(const ProblemSolver& solver, io::Frame frame) {
  const Coefficients kind = solver.coefficients(frame.coefficients, frame.where);
  Item item{std::move(frame), kind, {}};
  if (item.frame.kind != io::FrameKind::Head) {
    qubo::Problem problem = io::read_problem(item.frame);
    problem.coefficients = kind;
    if (solver.samples()) {
      item.sampled = solver.sample(std::move(problem), item.frame.where);
      item.solution = std::move(item.sampled->solution);
    } else {
      item.solution = solver.solve(std::move(problem), item.frame.where);
    }
  }
  return item;
}

}  // namespace

Exit solve_stream(const SolveTask& task, io::Input input, Context& context) {
  check_sampling(task.solving, false);
  const ProblemSolver solver(task, context.token());
  io::StreamReader reader(std::move(input));
  io::Output output = binary_output(task.common);
  Writer writer(output, context);
  const auto read = [&] { return reader.next(); };
  const auto solve = [&](io::Frame frame, int) {
    return solve_frame(solver, std::move(frame));
  };
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
  context.summarise(writer.summary(
      task.solving.samples > 0 ? "sample" : task.solving.solver, task.common.json));
  return context.status(complete);
}

}  // namespace oa::app
