#include "cli/solve_stream.h"

#include "oa/base/parallel.h"
#include "oa/io/problem_io.h"
#include "oa/io/report.h"
#include "oa/io/stream.h"
#include "oa/solve/image.h"

#include <cstdint>
#include <string>
#include <utility>

namespace oa::cli {
namespace {

/// Frames in, frames out: heads pass as they are, problems become solutions.
struct Item {
  io::Frame frame;
  qubo::ImageSolution solution;  // where the frame is no head
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
      writer_.copy_head(item.frame, context_.history());
      return;
    }
    io::write_solution(writer_, item.solution);
    output_.flush();  // whoever reads may begin
    done_.add(item.solution);
    ++images_;
    context_.progress().advance(1);
  }
  void finish(bool complete) {
    writer_.finish(complete);
    output_.commit();
    done_.complete = complete;
  }
  [[nodiscard]] std::string summary(const std::string& solver, bool json) const {
    return json ? io::solving_json(done_, images_, solver)
                : io::solving_text(done_, images_, solver);
  }

 private:
  io::StreamWriter writer_;
  io::Output& output_;
  Context& context_;
  bool begun_ = false;
  score::Run done_;
  std::int64_t images_ = 0;
};

}  // namespace

Exit solve_stream(const SolveTask& task, io::Input input, Context& context) {
  const auto [method, settings] = choose_solver(task.solving);
  io::StreamReader reader(std::move(input));
  io::Output output = binary_output(task.common);
  Writer writer(output, context);
  const Rng rng(task.common.seed);

  const auto read = [&] { return reader.next(); };
  const auto solve = [&, &method = method, &settings = settings](io::Frame frame, int) {
    Item item{std::move(frame), {}};
    if (item.frame.kind != io::FrameKind::Head) {
      qubo::ImageProblem problem = io::read_problem(item.frame);
      const auto index = static_cast<std::uint64_t>(problem.index);
      item.solution = solve::solve_image(
          std::move(problem), method, settings, rng.fork(index), !task.no_times);
    }
    return item;
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
  context.say(writer.summary(task.solving.solver, task.common.json));
  return context.status(complete);
}

}  // namespace oa::cli
