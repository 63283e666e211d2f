// oa-qubo: poses the problems of images and sequences as a stream.  See oa-qubo(1).
#include "app/pose/array_problems.h"
#include "app/pose/problem_stream.h"
#include "cli/cli.h"
#include "cli/image_options.h"

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::PosingOptions posing;
  app::ArrayOptions arrays;
  bool plan = false;
};

void declare(cli::App& app, Options& o) {
  auto* model = app.add_option("MODEL", o.posing.model, "Model file");
  app.input_operand =
      app.add_option("IMAGES",
                     o.posing.images.images,
                     "IDX, .npy, PNG, JPEG or PGM file, or a folder of images");
  const cli::ImageChoice images = cli::add_image_choice(app, o.posing.images, {"spin"});
  auto* scale = cli::add_levels(app, o.posing.levels);
  cli::add_shard(app, o.posing.images);
  auto* layer =
      app.add_option("--layer", o.posing.layer, "Problems of this layer, from 0")
          ->type_name("N")
          ->default_str("the last")
          ->check(cli::between(0, 65535));
  auto* head =
      app.add_option("--head", o.posing.head, "Problems of this head only, from 0")
          ->type_name("N")
          ->default_str("all")
          ->check(cli::between(0, 65535));
  auto* answers = app.add_option("--answers",
                                 o.posing.answers,
                                 "Stream with the solutions of the previous layer")
                      ->type_name("FILE")
                      ->default_str("its optima")
                      ->excludes(head);
  auto* plan =
      app.add_flag(
             "--plan", o.plan, "Print the size of the stream instead of writing it")
          ->excludes(answers);
  auto* values = cli::add_arrays(app,
                                 o.arrays,
                                 {model,
                                  app.input_operand,
                                  images.fit,
                                  images.invert,
                                  images.stride,
                                  scale,
                                  layer,
                                  head,
                                  answers,
                                  plan});
  app.on_parsed([model, values, &app, &o] {
    if (values->count() > 0) {
      app.input_operand = nullptr;
    } else if (model->count() == 0) {
      throw app::UsageError("MODEL is required");
    } else if (o.posing.images.coefficients == "spin") {
      throw app::UsageError("coefficients", " spin needs values and queries");
    }
  });
  cli::add_output(app, o.common, "Write the stream to this file");
  cli::add_threads(app, o.common);
  cli::add_json_summary(app, o.common);
}

app::Exit write_plan(const Options& o, const app::Plan& plan, app::Context& context) {
  const std::string& file = o.common.json_file;
  io::Output output(file.empty() ? o.common.output : file);
  output.write(o.common.json ? plan.json() : plan.text());
  output.commit();
  return context.status(true);
}

/// Writes the stream of a ProblemStream or of ArrayProblems, and a report.
template <class Problems>
app::Exit write_stream(const Options& o, Problems& problems, app::Context& context) {
  io::Output output = app::binary_output(o.common);
  problems.write(output, o.common.threads, context);
  context.summarise(o.common,
                    o.common.json ? problems.summary_json() : problems.summary_text());
  return context.status(true);
}

app::Exit work(const Options& o, app::Context& context) {
  if (!o.arrays.values.empty()) {
    app::ArrayProblems problems(o.arrays, o.posing.images, o.posing.levels);
    return write_stream(o, problems, context);
  }
  app::ProblemStream stream(o.posing);
  return o.plan ? write_plan(o, stream.plan(context), context)
                : write_stream(o, stream, context);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-qubo",
       "Writes the attention of images or sequences as a stream of QUBO problems."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
