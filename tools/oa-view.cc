// oa-view: describes, checks or cuts files and streams.  See oa-view(1).
#include "app/view/describe.h"
#include "cli/cli.h"
#include "oa/base/error.h"
#include "oa/base/index_set.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/stream/cut.h"

#include <unistd.h>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::string file = "-";
  bool check = false;
  bool formula = false;
  io::Cut cut;
};

void declare(cli::App& app, Options& o) {
  cli::add_input(app, o.file, "Any file that the tools write");
  auto* check =
      app.add_flag("--check", o.check, "Verify the file and print only the result");
  auto* formula = app.add_flag(
      "--formula", o.formula, "Print the operations of each layer of a model");
  formula->excludes(check);
  app.add_option("--head N", o.cut.head, "Write a stream of the first N images")
      ->check(cli::at_least(0))
      ->excludes(check)
      ->excludes(formula);
  cli::add_indices(app, "--select", o.cut.select, "Write a stream of these images")
      ->excludes(check)
      ->excludes(formula);
  cli::add_output(app, o.common, "Write the text or stream to this file");
  cli::add_json(app, o.common, "Write the description as one JSON object");
  cli::add_verbose(
      app, o.common, "Print every tensor of every frame; with --json, its elements");
  cli::add_color(app, o.common);
}

app::Exit check(const Options& o, io::Input& input, app::Context& context) {
  const std::string name = input.name();
  const app::CheckResult result = app::check(input);
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  io::Output output(o.common.output);
  output.write(o.common.json ? result.json + "\n"
                             : printable(name) + ": " + result.summary + "\n");
  output.commit();
  return context.status(result.complete);
}

io::CutResult describe(const Options& o, io::Input& input) {
  io::Output output(o.common.output);
  app::DescribeSettings settings;
  settings.json = o.common.json;
  settings.tensors = o.common.verbose;
  settings.color = app::use_color(o.common, output);
  settings.cut = o.cut;
  try {
    const io::CutResult result = app::describe(input, output, settings);
    output.commit();
    return result;
  } catch (const InputError&) {
    output.flush();  // show the text before the error
    throw;
  }
}

app::Exit formula(const Options& o, io::Input& input, const app::Context& context) {
  io::Output output(o.common.output);
  app::write_formula(input, output, o.common.json);
  output.commit();
  return context.status(true);
}

io::CutResult cut(const Options& o, io::Input& input, const app::Context& context) {
  io::Output output = app::binary_output(o.common);
  io::StreamReader reader(std::move(input));
  const io::CutResult result = io::write_cut(reader, o.cut, output);
  if (result.images > 0 || !context.interrupted()) {
    output.commit();
  }
  return result;
}

app::Exit work(const Options& o, app::Context& context) {
  io::Input input = io::Input::open(o.file, context.token());
  const std::string name = input.name();
  if (o.check) {
    return check(o, input, context);
  }
  if (o.formula) {
    return formula(o, input, context);
  }
  const bool as_stream = !o.cut.everything() && !o.common.json && !o.common.verbose;
  const io::CutResult result = as_stream ? cut(o, input, context) : describe(o, input);
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  if (!result.complete) {
    context.warn(name + ": the stream is marked incomplete");
  }
  if (result.missing > 0) {
    context.warn(name + ": " + format_grouped(result.missing) +
                 " of the images selected are not in the stream");
  }
  return context.status(result.ok());
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-view", "Prints, verifies or cuts any file or stream of the tools."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
