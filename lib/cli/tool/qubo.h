#pragma once

#include "app/pose/array_problems.h"
#include "app/pose/problem_stream.h"
#include "cli/options.h"

namespace oa::cli {

/// The options of oa-qubo.
struct QuboOptions {
  app::Common common;
  app::PosingOptions posing;
  app::ArrayOptions arrays;
  bool plan = false;
};

void declare(App& app, QuboOptions& options);
[[nodiscard]] app::Exit work(const QuboOptions& options, app::Context& context);

}  // namespace oa::cli
