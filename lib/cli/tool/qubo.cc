#include "cli/tool/qubo.h"

#include "cli/image_options.h"

namespace oa::cli {
namespace {

app::Exit write_plan(const QuboOptions& o,
                     const app::Plan& plan,
                     app::Context& context) {
  const std::string& file = o.common.json_file;
  io::Output output(file.empty() ? o.common.output : file);
  output.write(o.common.json ? plan.json() : plan.text());
  output.commit();
  return context.status(true);
}

/// Writes the stream of a ProblemStream or of ArrayProblems, and its summary.
template <class Problems>
app::Exit write_stream(const QuboOptions& o,
                       Problems& problems,
                       app::Context& context) {
  io::Output output = app::binary_output(o.common);
  problems.write(output, context);
  context.summarise(o.common.json ? problems.summary_json() : problems.summary_text());
  return context.status(true);
}

}  // namespace

void declare(App& app, QuboOptions& o) {
  auto* model = app.add_option("MODEL", o.posing.model, "Model file");
  app.input_operand =
      app.add_option("IMAGES",
                     o.posing.images.images,
                     "IDX, .npy, PNG, JPEG or PGM file, or a folder of images");
  const ImageChoice images = add_image_choice(app, o.posing.images, {"spin"});
  auto* scale = add_levels(app, o.posing.levels);
  add_shard(app, o.posing.images);
  auto* layer =
      app.add_option("--layer N", o.posing.layer, "Problems of this layer, from 0")
          ->default_str("the last")
          ->check(between(0, 65535));
  auto* head =
      app.add_option("--head N", o.posing.head, "Problems of this head only, from 0")
          ->default_str("all")
          ->check(between(0, 65535));
  auto* answers = app.add_option("--answers FILE",
                                 o.posing.answers,
                                 "Stream with the solutions of the previous layer")
                      ->default_str("its optima")
                      ->excludes(head);
  auto* plan =
      app.add_flag(
             "--plan", o.plan, "Print the size of the stream instead of writing it")
          ->excludes(answers);
  auto* values = add_arrays(app,
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
  add_output(app, o.common, "Write the stream to this file");
  add_threads(app, o.common);
  add_json_summary(app, o.common);
}

app::Exit work(const QuboOptions& o, app::Context& context) {
  if (!o.arrays.values.empty()) {
    app::ArrayProblems problems(o.arrays, o.posing.images, o.posing.levels);
    return write_stream(o, problems, context);
  }
  app::ProblemStream stream(o.posing);
  return o.plan ? write_plan(o, stream.plan(context), context)
                : write_stream(o, stream, context);
}

}  // namespace oa::cli
