// make-stream: writes a stream of random problems or solutions.  A tool like any other,
// so that what all tools share is tested before and beside the real ones: threads,
// seeds, interruption, every exit status.
#include "cli/cli.h"
#include "oa/base/error.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/problem_io.h"
#include "oa_test.h"

#include <algorithm>
#include <new>
#include <semaphore>
#include <stdexcept>
#include <utility>
#include <vector>

#include <unistd.h>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::int64_t images = 3;
  std::int64_t first = 0;
  std::string kind = "problem";
  int variables = 5;
  int queries = 4;
  int width = 3;
  int heads = 1;
  bool causal = false;
  std::string then = "finish";
};

void declare(cli::App& app, Options& o) {
  const auto number = [&](const char* name, auto& value, const char* what) {
    app.add_option(name, value, what)->type_name("N")->check(cli::at_least(0));
  };
  number("--images", o.images, "Images in the stream");
  number("--first", o.first, "Index of the first one");
  app.add_option("--kind", o.kind, "Kind of frame")
      ->type_name("KIND")
      ->check(cli::one_of({"problem", "solution"}));
  number("--variables", o.variables, "Variables of a problem");
  number("--queries", o.queries, "Queries of an image");
  number("--width", o.width, "Width of a value");
  app.add_option("--heads", o.heads, "Heads of an image: problems of a task")
      ->type_name("N")
      ->check(cli::between(1, 100));
  app.add_flag("--causal", o.causal, "Query i lacks the variables of those after it");
  app.add_option("--then", o.then, "What to do after the last image")
      ->type_name("WHAT")
      ->check(cli::one_of(
          {"finish", "wait", "hang", "bug", "input", "memory", "usage", "stuck"}));
  cli::add_output(app, o.common, "Where the stream goes");
  cli::add_threads(app, o.common);
  cli::add_seed(app, o.common);
}

/// Faults after all images are written.
void go_on(const Options& o, io::Output& output, app::Context& context) {
  output.flush();
  if (o.then == "wait") {  // as for input that does not come
    std::binary_semaphore stopped(0);
    const std::stop_callback wake(context.token(), [&] { stopped.release(); });
    stopped.acquire();
  } else if (o.then == "hang") {  // deaf to a stop
    while (true) {
      ::pause();
    }
  } else if (o.then == "bug") {
    throw std::logic_error("two and two\nmake five");
  } else if (o.then == "input") {
    throw InputError(
        "file:7: \x1b[31mred\x1b[0m\nand \xc2\x9b"
        "31mred again");
  } else if (o.then == "memory") {
    throw std::bad_alloc();
  } else if (o.then == "stuck") {  // an exception that nothing catches
    const auto fails = [] { throw IoError("no way out"); };
    [&]() noexcept { fails(); }();
  } else if (o.then == "usage") {
    throw app::UsageError("these options contradict each other");
  }
}

/// The problems of head `head`; the first has targets.
qubo::Problem task_of(const Options& o, const qubo::Problem& whole, int head) {
  std::vector<int> sizes;
  for (int i = 0; o.causal && i < o.queries; ++i) {
    sizes.push_back(std::max(o.variables - o.queries + 1 + i, 1));
  }
  qubo::Problem p = o.causal ? test::with_sizes(whole, std::move(sizes)) : whole;
  p.place.head = head;
  p.place.heads = o.heads;
  if (head == 0) {
    p.targets.per_row = 1;
    p.targets.numbers.assign(static_cast<std::size_t>(p.n), -1);
  }
  return p;
}

app::Exit work(const Options& o, app::Context& context) {
  io::Output output = app::binary_output(o.common);
  io::StreamWriter writer(output);
  const bool tasks = o.causal || o.heads > 1;
  writer.head(
      {{"made.by", "make-stream"}}, {}, tasks ? io::Series::Tasks : io::Series::Images);
  const Rng rng(o.common.seed);
  std::int64_t next = o.first;
  context.progress().start("making", o.images);
  ordered_pipeline(
      o.common.threads,
      context.stop(),
      [&]() -> std::optional<std::int64_t> {
        return next < o.first + o.images && !context.interrupted()
                   ? std::optional(next++)
                   : std::nullopt;
      },
      [&](std::int64_t index, int) {
        Rng own = rng.fork(static_cast<std::uint64_t>(index));
        auto s = test::random_solution(own, o.variables, o.queries, o.width);
        s.problem.index = index;
        std::vector<qubo::SolvedProblem> heads{std::move(s)};
        for (int head = 1; head < o.heads; ++head) {
          heads.push_back(test::random_solution(own, o.variables, o.queries, o.width));
          heads.back().problem.index = index;
          heads.back().problem.label.reset();
        }
        return heads;
      },
      [&](const std::vector<qubo::SolvedProblem>& heads) {
        const qubo::SolvedProblem& s = heads.front();
        if (tasks) {
          for (int head = 0; head < o.heads; ++head) {
            io::write_problem(
                writer,
                task_of(o, heads[static_cast<std::size_t>(head)].problem, head));
          }
        } else if (o.kind == "problem") {
          io::write_problem(writer, s.problem);
        } else {
          io::write_solution(writer, s);
        }
        context.progress().advance(1);
      });
  context.progress().finish();
  go_on(o, output, context);
  writer.finish(!context.interrupted());
  output.commit();
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"make-stream", "Writes a stream of random problems or solutions."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
