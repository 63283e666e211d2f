#include "cli/dataset_options.h"

#include "cli/options.h"
#include "oa/base/parallel.h"
#include "oa/io/tensor/dataset_io.h"

#include <algorithm>
#include <optional>
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

namespace {

void write_split(const DatasetOptions& o,
                 const Generated& generated,
                 Split split,
                 io::DatasetFiles& files,
                 app::Context& context) {
  const int count = split == Split::Train ? o.train : o.test;
  const int size = generated.block;
  int next = 0;
  const auto read = [&]() -> std::optional<int> {
    if (next >= count || context.interrupted()) {
      return std::nullopt;
    }
    return std::exchange(next, next + size);
  };
  const auto draw = [&](int first, int) {
    return generated.draw(split, first, std::min(size, count - first));
  };
  const auto put = [&](const Dataset& block) {
    files.write(block);
    context.progress().advance(block.count());
  };
  ordered_pipeline(o.common.threads, context.stop(), read, draw, put);
}

}  // namespace

void add_dataset(App& app,
                 DatasetOptions& o,
                 const std::string& examples,
                 const std::string& force) {
  o.common.output.clear();  // no default
  add_output(app, o.common, "Write the files to this folder, created if missing")
      ->type_name("DIR")
      ->required();
  app.add_option("--train N", o.train, "Training " + examples)
      ->check(between(0, 10'000'000));
  app.add_option("--test N", o.test, "Test " + examples)->check(between(0, 10'000'000));
  add_force(app, o.force, force);
  add_seed(app, o.common);
  add_threads(app, o.common);
}

app::Exit write_dataset(const DatasetOptions& o,
                        const Generated& generated,
                        app::Context& context) {
  if (o.common.output == "-") {
    throw app::UsageError(
        "cannot write several files to standard output (name a folder)");
  }
  if (!o.force) {
    io::refuse_other_task(o.common.output, generated.task.task);
  }
  const io::OutputFolder folder(o.common.output);
  const Dataset like = generated.draw(Split::Train, 0, 1);
  io::DatasetFiles train(folder, Split::Train, o.train, like, generated.byte_vectors);
  io::DatasetFiles test(folder, Split::Test, o.test, like, generated.byte_vectors);
  io::Output task(folder / io::kTaskFile);
  io::write_task(task, generated.task);
  context.progress().start(generated.examples, std::int64_t{o.train} + o.test);
  write_split(o, generated, Split::Train, train, context);
  write_split(o, generated, Split::Test, test, context);
  context.progress().finish();
  if (!context.interrupted()) {
    train.commit();
    test.commit();
    task.commit();
  }
  return context.status(true);
}

}  // namespace oa::cli
