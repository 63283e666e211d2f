#pragma once

#include "app/context.h"
#include "cli/options.h"
#include "cli/signals.h"

#include <functional>
#include <string_view>

namespace oa::cli {

struct Tool {
  std::string_view name;
  std::string_view summary;  ///< one sentence, for --help
  /// Handles an invalid command line; null: reports it as an error.
  app::Exit (*refuse)(const app::UsageError&, app::Context&) = nullptr;
};

/// Runs a tool and returns its exit status.  Reports an error as a line on stderr.
[[nodiscard]] int run_tool(const Tool& tool,
                           int argc,
                           char** argv,
                           app::Common& common,
                           const std::function<void(App&)>& declare,
                           const std::function<app::Exit(app::Context&)>& work);

/// Runs a tool with `Options`, which has a member `common` of type app::Common.
template <class Options>
[[nodiscard]] int run(const Tool& tool,
                      int argc,
                      char** argv,
                      void (*declare)(App&, Options&),
                      app::Exit (*work)(const Options&, app::Context&)) {
  Options options;
  return run_tool(
      tool,
      argc,
      argv,
      options.common,
      [&](App& app) { declare(app, options); },
      [&](app::Context& context) { return work(options, context); });
}

}  // namespace oa::cli
