#pragma once

#include "app/context.h"
#include "app/solve/options.h"
#include "oa/io/bytes/input.h"

namespace oa::app {

/// Settings shared by streams and single problems.
struct SolveTask {
  const Common& common;
  const SolveOptions& solving;
  bool no_times = false;
};

/// Solves a stream of problems, image by image, and writes a stream of solutions.
[[nodiscard]] Exit solve_stream(const SolveTask& task,
                                io::Input input,
                                Context& context);

}  // namespace oa::app
