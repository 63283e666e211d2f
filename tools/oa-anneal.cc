// oa-anneal: solves the problems of a stream, or single ones.  See oa-anneal(1).
#include "app/join_results.h"
#include "app/solve_single.h"
#include "app/solve_stream.h"
#include "cli/cli.h"
#include "cli/solve_options.h"

#include <string>
#include <utility>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::vector<std::string> files;
  app::SolveOptions solving;
  app::SingleOptions single;
  bool no_times = false;
  bool join = false;
};

void declare(cli::App& app, Options& o) {
  cli::add_inputs(app, o.files, "Stream of problems, or files of single problems");
  cli::add_solver(app, o.solving);
  cli::add_single(app, o.single);
  app.add_flag("--join", o.join, "Files are results: say how good the runs were");
  app.add_flag("--no-times", o.no_times, "Write all times as 0, so that runs compare");
  cli::add_output(app, o.common, "Where the solutions go");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
  cli::add_json_summary(app, o.common);
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.join) {
    if (o.files.empty()) {
      throw app::UsageError("--join needs files of results");
    }
    return app::join_results(o.files, o.single.target, o.common, context);
  }
  io::Input input =
      io::Input::open(o.files.empty() ? "-" : o.files.front(), context.token());
  const app::SolveTask task{o.common, o.solving, o.no_times};
  const bool many = o.files.size() > 1;
  if (!app::is_stream(o.single, input)) {
    const std::vector<std::string> others(o.files.begin() + (many ? 1 : o.files.size()),
                                          o.files.end());
    return app::solve_singles(task, o.single, std::move(input), others, context);
  }
  if (many) {
    throw app::UsageError(o.files[1] + " follows a stream (join streams with cat)");
  }
  return app::solve_stream(task, std::move(input), context);
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
