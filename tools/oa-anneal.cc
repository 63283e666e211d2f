// oa-anneal: solves the problems of a stream, or single ones.  See oa-anneal(1).
#include "cli/cli.h"
#include "cli/single.h"
#include "cli/solve_options.h"
#include "oa/base/parallel.h"
#include "oa/io/problem_io.h"
#include "oa/io/report.h"
#include "oa/io/stream.h"
#include "oa/solve/image.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oa {
namespace {

struct Options {
  cli::Common common;
  std::vector<std::string> files;
  cli::SolveOptions solving;
  cli::SingleOptions single;
  bool no_times = false;
};

void declare(cli::App& app, Options& o) {
  cli::add_inputs(app, o.files, "Stream of problems, or files of single problems");
  cli::add_solver(app, o.solving);
  cli::add_single(app, o.single);
  app.add_flag("--no-times", o.no_times, "Write all times as 0, so that runs compare");
  cli::add_output(app, o.common, "Where the solutions go");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
  cli::add_json(app, o.common, "The summary is one JSON object");
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
  cli::Context& context_;
  bool begun_ = false;
  score::Run done_;
  std::int64_t images_ = 0;
};

cli::Exit solve_stream(const Options& o, io::Input input, cli::Context& context) {
  const auto [method, settings] = cli::choose_solver(o.solving);
  io::StreamReader reader(std::move(input));
  io::Output output = cli::binary_output(o.common);
  Writer writer(output, context);
  const Rng rng(o.common.seed);

  const auto read = [&] { return reader.next(); };
  const auto solve = [&, &method = method, &settings = settings](io::Frame frame, int) {
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
  context.say(writer.summary(o.solving.solver, o.common.json));
  return context.status(complete);
}

cli::Exit work(const Options& o, cli::Context& context) {
  io::Input input =
      io::Input::open(o.files.empty() ? "-" : o.files.front(), context.token());
  const bool many = o.files.size() > 1;
  if (!cli::is_stream(o.single, input)) {
    const std::vector<std::string> others(o.files.begin() + (many ? 1 : o.files.size()),
                                          o.files.end());
    return cli::solve_singles(
        {o.common, o.single, o.solving, o.no_times}, std::move(input), others, context);
  }
  if (many) {
    throw cli::UsageError(o.files[1] + " follows a stream (join streams with cat)");
  }
  return solve_stream(o, std::move(input), context);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-anneal", "Solves QUBO and Ising problems, with proof where it can."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
