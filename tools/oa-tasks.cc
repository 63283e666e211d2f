// oa-tasks: writes examples of generated tasks as IDX files.  See oa-tasks(1).
#include "cli/dataset_options.h"

namespace oa {
namespace {

struct Options : cli::DatasetOptions {
  Options() {
    train = 20000;
    test = 2000;
  }
  app::TaskChoice choice;
};

void declare(cli::App& app, Options& o) {
  cli::add_task(app, o.choice);
  cli::add_dataset(
      app, o, "examples", "Replace data that oa-tasks did not write for this task");
}

app::Exit work(const Options& o, app::Context& context) {
  const Pictures pictures = app::read_task_pictures(o.choice);
  const auto draw = [&](Split split, int first, int n) {
    return draw_task(
        o.choice.task, o.choice.options, pictures, o.common.seed, split, first, n);
  };
  return cli::write_dataset(
      o,
      {.task = app::describe_task(o.choice, o.common.seed, draw(Split::Train, 0, 1)),
       .examples = "examples",
       .block = 50,
       .byte_vectors = o.choice.options.pictures,
       .draw = draw},
      context);
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
