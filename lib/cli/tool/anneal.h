#pragma once

#include "app/solve/options.h"
#include "app/solve/single.h"
#include "cli/options.h"

#include <string>
#include <vector>

namespace oa::cli {

/// Options of oa-anneal.
struct AnnealOptions {
  app::Common common;
  std::vector<std::string> files;
  app::SolveOptions solving;
  app::SingleOptions single;
  bool no_times = false;
  bool join = false;
  bool best_of = false;
};

void declare(App& app, AnnealOptions& options);
[[nodiscard]] app::Exit work(const AnnealOptions& options, app::Context& context);

}  // namespace oa::cli
