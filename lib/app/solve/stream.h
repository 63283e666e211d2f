#pragma once

#include "app/context.h"
#include "app/solve/options.h"
#include "oa/io/bytes/input.h"

namespace oa::app {

/// What solving takes, whatever the input is.
struct SolveTask {
  const Common& common;
  const SolveOptions& solving;
  bool no_times = false;
};

/// The stream of problems in `input` becomes one of solutions, image by image.
[[nodiscard]] Exit solve_stream(const SolveTask& task,
                                io::Input input,
                                Context& context);

}  // namespace oa::app
