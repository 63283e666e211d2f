#pragma once

#include "oa/data/task.h"
#include "oa/io/tensor/task_file.h"

#include <cstdint>
#include <string>

namespace oa::app {

struct TaskChoice {
  Task task = Task::Recall;
  TaskOptions options;
  std::string images;  ///< IDX file of pictures; empty: the built-in digits
};

/// Reads the pictures for the examples.  Throws UsageError if pictures contradict the
/// options, InputError or IoError if the file is wrong.
[[nodiscard]] Pictures read_task_pictures(const TaskChoice& choice);

/// Describes generated examples in a task.json:
/// their sizes, and the options of the generator.
[[nodiscard]] io::TaskFile describe_task(const TaskChoice& choice,
                                         std::uint64_t seed,
                                         const Dataset& like);

}  // namespace oa::app
