// oa-digits: writes the built-in digits as MNIST-named IDX files.  See oa-digits(1).
#include "cli/cli.h"
#include "oa/base/parallel.h"
#include "oa/data/digits.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/task_file.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace oa {
namespace {

constexpr const char* kTask = "digits";

struct Options {
  app::Common common;
  int train = 60000;
  int test = 10000;
  bool force = false;
};

void declare(cli::App& app, Options& o) {
  o.common.output.clear();  // no default
  cli::add_output(app, o.common, "Write the files to this folder, created if missing")
      ->type_name("DIR")
      ->required();
  const auto add_count = [&](const std::string& name,
                             int& count,
                             const char* description) {
    app.add_option(name + " N", count, description)->check(cli::between(0, 10'000'000));
  };
  add_count("--train", o.train, "Training images");
  add_count("--test", o.test, "Test images");
  cli::add_force(app, o.force, "Replace data that oa-digits did not write");
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
}

// The two files of a split, which get their names when both splits are complete.
struct Files {
  io::Output images;
  io::Output labels;

  Files(const io::OutputFolder& folder, Split split)
      : images(folder / io::idx_images_name(split)),
        labels(folder / io::idx_labels_name(split)) {}

  void commit() {
    images.commit();
    labels.commit();
  }
};

void write(const Options& o, Split split, Files& files, app::Context& context) {
  constexpr int kBlock = 500;
  const int count = split == Split::Train ? o.train : o.test;
  io::write_idx_images_header(files.images, count, kDigitSide, kDigitSide);
  io::write_idx_labels_header(files.labels, count);
  int next = 0;
  const auto read = [&]() -> std::optional<int> {
    if (next >= count || context.interrupted()) {
      return std::nullopt;
    }
    return std::exchange(next, next + kBlock);
  };
  const auto draw = [&](int first, int) {
    return digits(o.common.seed, split, first, std::min(kBlock, count - first));
  };
  const auto put = [&](const Dataset& block) {
    files.images.write(std::as_bytes(std::span(block.images.pixels)));
    files.labels.write(std::as_bytes(std::span(block.labels)));
    context.progress().advance(block.images.count);
  };
  ordered_pipeline(o.common.threads, context.stop(), read, draw, put);
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.common.output == "-") {
    throw app::UsageError(
        "cannot write several files to standard output (name a folder)");
  }
  if (!o.force) {
    io::refuse_other_task(o.common.output, kTask);
  }
  const io::OutputFolder folder(o.common.output);
  Files train(folder, Split::Train);
  Files test(folder, Split::Test);
  io::Output task(folder / io::kTaskFile);
  io::write_task(task,
                 {.task = kTask,
                  .classes = 10,
                  .options = {{"seed", std::to_string(o.common.seed)}}});
  context.progress().start("digits", std::int64_t{o.train} + o.test);
  write(o, Split::Train, train, context);
  write(o, Split::Test, test, context);
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
      {"oa-digits", "Writes generated images of handwritten-like digits as IDX files."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
