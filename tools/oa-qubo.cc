// oa-qubo: poses the problems of images and sequences as a stream.  See oa-qubo(1).
#include "app/pose/problem_stream.h"
#include "cli/cli.h"
#include "cli/image_options.h"

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::PosingOptions posing;
  bool plan = false;
};

void declare(cli::App& app, Options& o) {
  app.add_option("MODEL", o.posing.model, "Model file")->required();
  cli::add_images(app, o.posing.images);
  cli::add_levels(app, o.posing.levels);
  cli::add_shard(app, o.posing.images);
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
  app.add_flag("--plan", o.plan, "Print the size of the stream instead of writing it")
      ->excludes(answers);
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

app::Exit work(const Options& o, app::Context& context) {
  app::ProblemStream stream(o.posing);
  if (o.plan) {
    return write_plan(o, stream.plan(context), context);
  }
  io::Output output = app::binary_output(o.common);
  stream.write(output, o.common.threads, context);
  context.summarise(o.common,
                    o.common.json ? stream.summary_json() : stream.summary_text());
  return context.status(true);
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
