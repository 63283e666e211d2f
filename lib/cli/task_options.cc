#include "cli/task_options.h"

#include "cli/options.h"

#include <utility>
#include <vector>

namespace oa::cli {
namespace {

/// Options and the fields that they set; a task refuses the options of other tasks.
using TaskFlags = std::vector<std::pair<Option*, std::string_view>>;

void refuse_others(const app::TaskChoice& choice, const TaskFlags& flags) {
  const std::string task = field_text(choice.task);
  for (const auto& [option, name] : flags) {
    if (option->count() > 0 && !uses_option(choice.task, name)) {
      throw app::UsageError(option->name() + " has no effect with " + task);
    }
    const bool of_vectors = name == "width" || name == "noise" || name == "amounts";
    if (option->count() > 0 && of_vectors && choice.options.pictures) {
      throw app::UsageError(option->name() + " has no effect with --pictures");
    }
  }
  if (!choice.images.empty() && !takes_pictures(choice.task, choice.options)) {
    throw app::UsageError(
        "--images has no effect with " + task +
        (choice.task == Task::Superposed ? " without --pictures" : ""));
  }
}

}  // namespace

void add_task(App& app, app::TaskChoice& choice) {
  const auto take_task = [&choice](const std::string& name) {
    (void)parse_field(name, choice.task);
  };
  app.add_text("TASK", take_task, "What to generate")
      ->check(one_of(names_of<Task>()))
      ->required();
  TaskFlags flags;
  const TaskOptions defaults;
  for (const Field<TaskOptions>& field : task_fields().fields) {
    if (field.option_name().empty()) {
      continue;
    }
    const auto take = [&choice, &field](const std::string& text) {
      (void)field.parse(text, choice.options);
    };
    Option* option = add_field(app, field, take)->default_str(field.text(defaults));
    flags.emplace_back(option, field.name);
  }
  flags.emplace_back(
      app.add_flag("--pictures",
                   choice.options.pictures,
                   "superposed: overlay images of digits instead of adding vectors"),
      "pictures");
  app.add_option("--images FILE",
                 choice.images,
                 "scenes, --pictures: file of images, IDX, with its labels beside it")
      ->default_str("the built-in digits");
  app.on_parsed([&choice, flags] { refuse_others(choice, flags); });
}

}  // namespace oa::cli
