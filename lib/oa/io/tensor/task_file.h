#pragma once

#include "oa/base/field.h"
#include "oa/data/dataset.h"
#include "oa/io/bytes/output.h"

#include <map>
#include <optional>
#include <string>

namespace oa::io {

inline constexpr const char* kTaskFile = "task.json";

/// What a folder says of its examples in task.json: oa-formats(5), Data sets.
struct TaskFile {
  std::string task;  ///< "recall", "digits"; what recipes are chosen by
  Objective objective = Objective::Class;
  int vocabulary = 0;  ///< 0: tokens have no ids
  int width = 0;       ///< 0: tokens have no vectors
  int classes = 0;     ///< 0: as many as labels need
  int asking = 0;
  /// Other members that are a text, a number or a truth value; numbers as format()
  /// writes them.
  std::map<std::string, std::string> options;
};

/// The task of a folder; nothing if it does not say.  Throws InputError.
[[nodiscard]] std::optional<TaskFile> task_of(const std::string& folder);

/// Throws OverwriteError if `folder` holds a data set whose task.json does not say that
/// it has this task.
void refuse_other_task(const std::string& folder, const std::string& task);

void write_task(Output& output, const TaskFile& task);

}  // namespace oa::io
