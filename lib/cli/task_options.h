#pragma once

#include "app/context.h"
#include "cli/parser.h"
#include "oa/data/task.h"
#include "oa/io/tensor/task_file.h"

#include <cstdint>
#include <string>

namespace oa::cli {

struct TaskChoice {
  Task task = Task::Recall;
  TaskOptions options;
  std::string images;  ///< IDX file of pictures; empty: the built-in digits
};

/// TASK and the options of all tasks.  An option given with a task that does not have
/// it is a usage error.
void add_task(App& app, TaskChoice& choice);

/// The pictures that examples are made of.  Throws UsageError where they or the options
/// do not go together, InputError or IoError where the file is wrong.
[[nodiscard]] Pictures read_task_pictures(const TaskChoice& choice);

/// What task.json says of examples like these: what a reader has to know, and the
/// options that made them.
[[nodiscard]] io::TaskFile describe_task(const TaskChoice& choice,
                                         std::uint64_t seed,
                                         const Dataset& like);

}  // namespace oa::cli
