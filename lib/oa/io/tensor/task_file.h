#pragma once

#include "oa/base/field.h"
#include "oa/data/dataset.h"
#include "oa/io/bytes/output.h"

#include <map>
#include <optional>
#include <string>

namespace oa::io {

inline constexpr const char* kTaskFile = "task.json";

/// The task.json of a folder of examples: oa-formats(5), DATA SETS.
struct TaskFile {
  std::string task;  ///< "recall", "digits"; selects the training recipe
  Objective objective = Objective::Class;
  int vocabulary = 0;  ///< 0: tokens have no ids
  int width = 0;       ///< 0: tokens have no vectors
  int classes = 0;     ///< 0: determined by the labels
  int asking = 0;
  /// All other members: texts, truth values, and numbers as format() writes them.
  std::map<std::string, std::string> options;
};

/// Reads the task of a folder; returns nothing without task.json.  Throws InputError.
[[nodiscard]] std::optional<TaskFile> task_of(const std::string& folder);

/// Throws OverwriteError if `folder` holds a data set of another task.
void refuse_other_task(const std::string& folder, const std::string& task);

void write_task(Output& output, const TaskFile& task);

}  // namespace oa::io
