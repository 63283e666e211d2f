#pragma once

#include "app/train/tasks.h"
#include "cli/cli.h"
#include "cli/parser.h"
#include "oa/data/dataset.h"
#include "oa/io/tensor/task_file.h"

#include <functional>
#include <string>

namespace oa::cli {

/// Options of a tool that generates a data set.
struct DatasetOptions {
  app::Common common;
  int train = 0;
  int test = 0;
  bool force = false;
};

/// Adds --output, --train, --test, --force, --seed and --threads.
/// `examples` is the word for examples; `force` describes --force.
void add_dataset(App& app,
                 DatasetOptions& o,
                 const std::string& examples,
                 const std::string& force);

struct Generated {
  io::TaskFile task;
  const char* examples;  ///< for the display of progress
  int block;             ///< number of examples drawn at once
  bool byte_vectors;     ///< as for io::DatasetFiles
  std::function<Dataset(Split split, int first, int n)> draw;
};

/// Writes both splits and the description.  The files appear when all are complete.
app::Exit write_dataset(const DatasetOptions& o,
                        const Generated& generated,
                        app::Context& context);

/// Adds TASK and the options of all tasks.  An option of another task is a usage error.
void add_task(App& app, app::TaskChoice& choice);

}  // namespace oa::cli
