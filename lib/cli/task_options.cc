#include "cli/task_options.h"

#include "cli/options.h"
#include "oa/base/error.h"
#include "oa/io/tensor/picture_file.h"

#include <utility>
#include <vector>

namespace oa::cli {
namespace {

/// Options and the fields that they set, to refuse them with other tasks.
using TaskFlags = std::vector<std::pair<Option*, std::string_view>>;

void refuse_others(const TaskChoice& choice, const TaskFlags& flags) {
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

void add_task(App& app, TaskChoice& choice) {
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
  app.add_option("--images",
                 choice.images,
                 "scenes, --pictures: file of images, IDX, with its labels beside it")
      ->type_name("FILE")
      ->default_str("the built-in digits");
  app.on_parsed([&choice, flags] { refuse_others(choice, flags); });
}

Pictures read_task_pictures(const TaskChoice& choice) {
  Dataset set;
  if (!choice.images.empty()) {
    set = io::read_pictures_and_labels(choice.images, "");
    if (set.images.channels != 1) {
      throw InputError(choice.images + ": pictures in colour (expected grey ones)");
    }
    if (choice.task == Task::Scenes && set.labels.empty()) {
      throw InputError(choice.images +
                       ": no labels beside it (expected a file with the MNIST name)");
    }
  }
  Pictures pictures = choice.images.empty() ? Pictures() : Pictures(std::move(set));
  const std::string why = refusal_of(choice.task, choice.options, pictures);
  if (!why.empty() && choice.images.empty()) {
    throw app::UsageError(why);
  }
  if (!why.empty()) {
    throw InputError(choice.images + ": " + why);
  }
  return pictures;
}

io::TaskFile describe_task(const TaskChoice& choice,
                           std::uint64_t seed,
                           const Dataset& like) {
  io::TaskFile file{.task = field_text(choice.task),
                    .objective = like.targets.objective,
                    .vocabulary = like.sequences.vocabulary,
                    .width = like.sequences.width,
                    .classes = like.targets.classes,
                    .asking = like.sequences.asking,
                    .options = {{"seed", std::to_string(seed)}}};
  for (const Field<TaskOptions>& field : task_fields().fields) {
    const bool said =
        field.name == "width" || field.name == "vocabulary" || field.name == "asking";
    const bool of_vectors = field.name == "noise" && choice.options.pictures;
    const bool usual =
        field.later && field.text(choice.options) == field.text(TaskOptions{});
    if (!said && !usual && !of_vectors && uses_option(choice.task, field.name)) {
      file.options[task_fields().key(field)] = field.text(choice.options);
    }
  }
  return file;
}

}  // namespace oa::cli
