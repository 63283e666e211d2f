#include "oa/io/tensor/task_file.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/kept_inputs.h"
#include "oa/io/bytes/whole_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace oa::io {
namespace {

using TaskJson = nlohmann::json;

constexpr std::size_t kMaxTaskFile = std::size_t{1} << 20;  // oa-formats(5), LIMITS
constexpr int kMaxKinds = 1 << 24;                          // oa-formats(5), LIMITS

/// Members of a task that are whole numbers.
constexpr std::array kCounts{std::pair{"vocabulary", &TaskFile::vocabulary},
                             std::pair{"width", &TaskFile::width},
                             std::pair{"classes", &TaskFile::classes},
                             std::pair{"asking", &TaskFile::asking}};

TaskJson parse_task(Input& input) {
  const std::string text =
      read_whole_text(input, kMaxTaskFile, "is longer than 1 MiB (expected a task)");
  // Parses only the values of the members, not deeper values.
  const auto shallow = [](int depth, TaskJson::parse_event_t, TaskJson&) {
    return depth <= 1;
  };
  TaskJson json = TaskJson::parse(text, shallow, false);
  if (!json.is_object()) {
    throw InputError(input.name() + ": is not a JSON object");
  }
  return json;
}

int count_from(const TaskJson& value,
               const std::string& name,
               const std::string& file) {
  const bool whole = value.is_number_integer();
  if (!whole || value < 0 || value > kMaxKinds) {
    throw InputError(
        file + ": \"" + name + "\" is " +
        printable(value.dump(-1, ' ', true, TaskJson::error_handler_t::replace)) +
        " (expected a whole number from 0 to 16777216)");
  }
  return value.get<int>();
}

Objective objective_from(const TaskJson& value, const std::string& file) {
  Objective objective{};
  if (!value.is_string() ||
      !parse_field(value.get_ref<const std::string&>(), objective)) {
    throw InputError(
        file + ": \"objective\" is " +
        printable(value.dump(-1, ' ', true, TaskJson::error_handler_t::replace)) +
        " (expected \"class\", \"positions\", \"sets\" or \"cells\")");
  }
  return objective;
}

/// The value as text; empty for lists, objects and null.
std::string option_text(const TaskJson& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_number_unsigned()) {
    return std::to_string(value.get<std::uint64_t>());
  }
  if (value.is_number_integer()) {
    return format(value.get<std::int64_t>());
  }
  if (value.is_number()) {
    return format(value.get<double>());
  }
  return value.is_boolean() ? field_text(value.get<bool>()) : std::string{};
}

/// Stores member `name` in its field of TaskFile, or in `options`.
void take_member(const std::string& name,
                 const TaskJson& value,
                 const std::string& file,
                 TaskFile& task) {
  const auto* count = std::ranges::find(
      kCounts, name, [](const auto& c) { return std::string(c.first); });
  if (count != kCounts.end()) {
    task.*count->second = count_from(value, name, file);
  } else if (name == "objective") {
    task.objective = objective_from(value, file);
  } else if (name == "task") {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      throw InputError(file + ": \"task\" is not a name");
    }
    task.task = value.get<std::string>();
  } else if (const std::string text = option_text(value); !text.empty()) {
    task.options[name] = text;
  }
}

}  // namespace

std::optional<TaskFile> task_of(const std::string& folder) {
  const std::string path = folder + "/" + kTaskFile;
  if (::access(path.c_str(), F_OK) != 0) {
    return std::nullopt;
  }
  Input input = Input::open(path);
  const TaskJson json = parse_task(input);
  TaskFile task;
  for (const auto& [name, value] : json.items()) {
    take_member(name, value, path, task);
  }
  if (task.task.empty()) {
    throw InputError(path + ": does not say which \"task\" it is");
  }
  return task;
}

namespace {

/// True if the file belongs to a data set.
bool is_of_dataset(const FolderFile& file) {
  const std::string name = std::filesystem::path(file.path).filename().string();
  return name == kTaskFile || name.starts_with("train-") || name.starts_with("t10k-");
}

/// Returns the task of a folder of data; empty if task.json does not name one.
std::string name_of_task(const std::string& folder) {
  std::string name;
  try {
    if (const auto task = task_of(folder)) {
      name = task->task;
    }
  } catch (const InputError&) {
    // Another program's task.json does not name a task.
  }
  KeptInputs::forget_reading(folder + "/" + kTaskFile);
  return name;
}

}  // namespace

void refuse_other_task(const std::string& folder, const std::string& task) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error) ||
      std::ranges::none_of(files_in(folder, Depth::Folder), is_of_dataset)) {
    return;
  }
  const std::string there = name_of_task(folder);
  if (there != task) {
    throw OverwriteError(
        folder + ": holds " +
        (there.empty() ? "data of other origin" : "data of the task '" + there + "'") +
        " (--force replaces it)");
  }
}

void write_task(Output& output, const TaskFile& task) {
  JsonObject json{{"task", task.task}, {"objective", field_text(task.objective)}};
  for (const auto& [name, member] : kCounts) {
    if (task.*member > 0) {
      json.member(name, task.*member);
    }
  }
  for (const auto& [name, text] : task.options) {
    const bool bare = text == "true" || text == "false" || parse_double(text);
    json.member(name, bare ? JsonValue::of_json(text) : JsonValue(text));
  }
  output.write(json.text() + "\n");
}

}  // namespace oa::io
