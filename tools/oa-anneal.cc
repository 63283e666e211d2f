// oa-anneal: solves the problems of a stream.  See oa-anneal(1).
#include "cli/cli.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/problem_io.h"
#include "oa/io/stream.h"
#include "oa/solve/image.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oa {
namespace {

struct Options {
  cli::Common common;
  std::string file = "-";
  std::string solver = std::string(solve::methods().front().name);
  solve::Settings settings;
  double time_limit_s = 0.0;
  bool no_times = false;
};

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const solve::Method& method : solve::methods()) {
    names.emplace_back(method.name);
  }
  return names;
}

void declare(cli::App& app, Options& o) {
  cli::add_input(app, o.file, "Stream of problems");
  app.add_option("--solver", o.solver, "How to solve")
      ->type_name("NAME")
      ->check(cli::one_of(solver_names()));
  app.add_option("--top", o.settings.top, "Keep the K lowest distinct solutions")
      ->type_name("K")
      ->check(cli::between(1, 10000));
  app.add_option("--time-limit", o.time_limit_s, "Seconds for each problem, at most")
      ->type_name("S")
      ->default_str("none")
      ->check(cli::positive());
  app.add_flag("--no-times", o.no_times, "Write all times as 0, so that runs compare");
  cli::add_output(app, o.common, "Where the stream of solutions goes");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
}

/// Frames in, frames out: heads pass as they are, problems become solutions.
struct Item {
  io::Frame frame;
  qubo::ImageSolution solution;  // where the frame is no head
};

class Writer {
 public:
  Writer(io::Output& output, cli::Context& context)
      : writer_(output),
        output_(output),
        context_(context) {}

  void write(const Item& item, bool complete) {
    if (item.frame.kind == io::FrameKind::Head) {
      if (begun_) {
        writer_.finish(complete);
      }
      begun_ = true;
      writer_.copy(item.frame);
      return;
    }
    io::write_solution(writer_, item.solution);
    output_.flush();  // whoever reads may begin
    context_.progress().advance(1);
  }
  void finish(bool complete) {
    writer_.finish(complete);
    output_.commit();
  }

 private:
  io::StreamWriter writer_;
  io::Output& output_;
  cli::Context& context_;
  bool begun_ = false;
};

cli::Exit work(const Options& o, cli::Context& context) {
  const solve::Method& method = *solve::find_method(o.solver);
  solve::Settings settings = o.settings;
  if (o.time_limit_s > 0.0) {
    settings.time_limit_s = o.time_limit_s;
  }
  io::StreamReader reader(io::Input::open(o.file, context.token()));
  io::Output output = cli::binary_output(o.common);
  Writer writer(output, context);
  const Rng rng(o.common.seed);

  const auto read = [&] { return reader.next(); };
  const auto solve = [&](io::Frame frame, int) {
    Item item{std::move(frame), {}};
    if (item.frame.kind != io::FrameKind::Head) {
      qubo::ImageProblem problem = io::read_problem(item.frame);
      const auto index = static_cast<std::uint64_t>(problem.index);
      item.solution = solve::solve_image(
          std::move(problem), method, settings, rng.fork(index), !o.no_times);
    }
    return item;
  };
  context.progress().start("images", 0);
  ordered_pipeline(
      o.common.threads, context.stop(), read, solve, [&](const Item& item) {
        writer.write(item, reader.complete());
      });
  context.progress().finish();
  const bool complete = reader.complete();
  writer.finish(complete);
  if (!complete && !context.interrupted()) {
    context.warn(reader.name() + ": the stream is marked incomplete");
  }
  return context.status(complete);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-anneal", "Solves the problems of a stream, with proof where it can."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
