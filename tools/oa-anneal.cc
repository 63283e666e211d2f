// oa-anneal: solves the problems of a stream, or single ones.  See oa-anneal(1).
#include "app/solve/best_of.h"
#include "app/solve/join_results.h"
#include "app/solve/single.h"
#include "app/solve/stream.h"
#include "cli/cli.h"
#include "cli/solve_options.h"

#include <algorithm>
#include <iterator>
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
  bool best_of = false;
};

void declare(cli::App& app, Options& o) {
  cli::add_inputs(app, o.files, "Stream of problems, or files of single problems");
  cli::add_solver(app, o.solving);
  cli::add_single(app, o.single);
  app.add_flag(
      "--join", o.join, "Read results of runs and summarise how good they were");
  app.add_flag(
      "--best-of", o.best_of, "Read solutions of the same problems and write the best");
  app.add_flag("--no-times", o.no_times, "Write all times as 0, to compare outputs");
  cli::add_output(app, o.common, "Write the solutions to this file");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
  cli::add_json_summary(app, o.common);
}

/// --join and --best-of, which solve nothing.
app::Exit compare(const Options& o, app::Context& context) {
  const char* what = o.join ? "--join" : "--best-of";
  if (o.join && o.best_of) {
    throw app::UsageError("--best-of has no effect with --join");
  }
  if (o.files.empty()) {
    throw app::UsageError(std::string(what) + " needs files of results");
  }
  std::vector<std::string> given = app::given_settings(o.solving);
  std::ranges::copy(o.single.given_settings(), std::back_inserter(given));
  if (o.common.json) {
    given.emplace_back("json");
  }
  std::erase_if(given, [&](const std::string& g) { return o.join && g == "target"; });
  if (!given.empty()) {
    throw app::UsageError(given.front(), " has no effect: nothing is solved");
  }
  return o.best_of ? app::best_of(o.files, o.common, context)
                   : app::join_results(o.files, o.single.target, o.common, context);
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.join || o.best_of) {
    return compare(o, context);
  }
  const app::SolveTask task{o.common, o.solving, o.no_times};
  if (o.files.size() > 1) {
    return app::solve_singles(task, o.single, {}, o.files, context);
  }
  const std::string path = o.files.empty() ? "-" : o.files.front();
  io::Input input = io::Input::open(path, context.token());
  return app::is_stream(o.single, input)
             ? app::solve_stream(task, std::move(input), context)
             : app::solve_singles(task, o.single, std::move(input), {path}, context);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-anneal",
       "Solves QUBO and Ising problems, and proves optimality where it can."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
