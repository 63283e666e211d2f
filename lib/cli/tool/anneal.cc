#include "cli/tool/anneal.h"

#include "app/solve/best_of.h"
#include "app/solve/join_results.h"
#include "app/solve/stream.h"
#include "cli/solve_options.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oa::cli {
namespace {

/// Handles --join and --best-of, which solve nothing.
app::Exit compare(const AnnealOptions& o, app::Context& context) {
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
  return o.best_of ? app::best_of(o.files, context)
                   : app::join_results(o.files, o.single.target, context);
}

}  // namespace

void declare(App& app, AnnealOptions& o) {
  add_inputs(app, o.files, "Stream of problems, or files of single problems");
  add_solver(app, o.solving);
  add_single(app, o.single);
  app.add_flag(
      "--join", o.join, "Read results of runs and summarise how good they were");
  app.add_flag(
      "--best-of", o.best_of, "Read solutions of the same problems and write the best");
  app.add_flag("--no-times", o.no_times, "Write all times as 0, to compare outputs");
  add_output(app, o.common, "Write the solutions to this file");
  add_seed(app, o.common);
  add_threads(app, o.common);
  add_json_summary(app, o.common);
}

app::Exit work(const AnnealOptions& o, app::Context& context) {
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

}  // namespace oa::cli
