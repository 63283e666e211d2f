#include "app/train/tasks.h"

#include "app/context.h"
#include "oa/base/error.h"
#include "oa/io/tensor/picture_file.h"

#include <utility>

namespace oa::app {

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
    throw UsageError(why);
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
    const bool has_member =
        field.name == "width" || field.name == "vocabulary" || field.name == "asking";
    const bool of_vectors = field.name == "noise" && choice.options.pictures;
    const bool usual =
        field.later && field.text(choice.options) == field.text(TaskOptions{});
    if (!has_member && !usual && !of_vectors && uses_option(choice.task, field.name)) {
      file.options[task_fields().key(field)] = field.text(choice.options);
    }
  }
  return file;
}

}  // namespace oa::app
