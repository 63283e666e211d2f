// oa-tasks: writes examples of generated tasks as IDX files.  See oa-tasks(1).
#include "cli/cli.h"
#include "cli/task_options.h"
#include "oa/base/parallel.h"
#include "oa/io/tensor/dataset_io.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::TaskChoice choice;
  int train = 20000;
  int test = 2000;
  bool force = false;
};

void declare(cli::App& app, Options& o) {
  o.common.output.clear();  // no default
  cli::add_task(app, o.choice);
  cli::add_output(app, o.common, "Write the files to this folder, created if missing")
      ->type_name("DIR")
      ->required();
  const auto add_count = [&](const std::string& name,
                             int& count,
                             const char* description) {
    app.add_option(name + " N", count, description)->check(cli::between(0, 10'000'000));
  };
  add_count("--train", o.train, "Training examples");
  add_count("--test", o.test, "Test examples");
  cli::add_force(
      app, o.force, "Replace data that oa-tasks did not write for this task");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
}

Dataset draw(
    const Options& o, const Pictures& pictures, Split split, int first, int n) {
  return draw_task(
      o.choice.task, o.choice.options, pictures, o.common.seed, split, first, n);
}

void write(const Options& o,
           const Pictures& pictures,
           Split split,
           io::DatasetFiles& files,
           app::Context& context) {
  constexpr int kBlock = 50;
  const int count = split == Split::Train ? o.train : o.test;
  int next = 0;
  const auto read = [&]() -> std::optional<int> {
    if (next >= count || context.interrupted()) {
      return std::nullopt;
    }
    return std::exchange(next, next + kBlock);
  };
  const auto make = [&](int first, int) {
    return draw(o, pictures, split, first, std::min(kBlock, count - first));
  };
  const auto put = [&](const Dataset& block) {
    files.write(block);
    context.progress().advance(block.count());
  };
  ordered_pipeline(o.common.threads, context.stop(), read, make, put);
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.common.output == "-") {
    throw app::UsageError(
        "cannot write several files to standard output (name a folder)");
  }
  const Pictures pictures = app::read_task_pictures(o.choice);
  const Dataset like = draw(o, pictures, Split::Train, 0, 1);
  const io::TaskFile description = app::describe_task(o.choice, o.common.seed, like);
  if (!o.force) {
    io::refuse_other_task(o.common.output, description.task);
  }
  const io::OutputFolder folder(o.common.output);
  const bool bytes = o.choice.options.pictures;
  io::DatasetFiles train(folder, Split::Train, o.train, like, bytes);
  io::DatasetFiles test(folder, Split::Test, o.test, like, bytes);
  io::Output task(folder / io::kTaskFile);
  io::write_task(task, description);
  context.progress().start("examples", std::int64_t{o.train} + o.test);
  write(o, pictures, Split::Train, train, context);
  write(o, pictures, Split::Test, test, context);
  context.progress().finish();
  if (!context.interrupted()) {
    train.commit();
    test.commit();
    task.commit();
  }
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-tasks", "Writes examples of tasks that need attention, as IDX files."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
