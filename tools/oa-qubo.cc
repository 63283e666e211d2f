// oa-qubo: poses the problems of images as a stream.  See oa-qubo(1).
#include "app/images.h"
#include "cli/cli.h"
#include "cli/image_options.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/encode/encode.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/classifier.h"

#include <optional>
#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::string model;
  app::ImageOptions images;
};

void declare(cli::App& app, Options& o) {
  app.add_option("MODEL", o.model, "Model file")->required();
  cli::add_images(app, o.images);
  cli::add_shard(app, o.images);
  cli::add_output(app, o.common, "Where the stream goes");
  cli::add_threads(app, o.common);
  cli::add_json(app, o.common, "The summary is one JSON object");
}

/// Writes the head: what is needed to classify when the problems are solved.
void write_head(io::StreamWriter& writer,
                const model::Model& model,
                const std::string& history) {
  io::PackedTensors readout =
      io::pack(score::readout_layout(model.config), model.layout, model.values);
  io::Metadata metadata = model::describe(model.config);
  metadata["oa.history"] = history;
  writer.head(std::move(metadata), std::move(readout.views));
}

std::string summary(const Options& o,
                    const model::Config& config,
                    std::int64_t images,
                    bool complete) {
  const std::int64_t qubos = images * config.query_count();
  const std::int64_t variables = config.tokens();
  const std::string coefficients = field_text(config.coefficients);
  if (o.common.json) {
    const JsonObject json{{"images", images},
                          {"qubos", qubos},
                          {"variables", variables},
                          {"coefficients", coefficients},
                          {"complete", complete}};
    return json.text() + "\n";
  }
  return format_grouped(images) + " images, " + format_grouped(qubos) +
         (config.coefficients == Coefficients::Binary
              ? " QUBOs"
              : " problems (" + coefficients + " coefficients)") +
         " of " + format(variables) + " variables\n";
}

app::Exit work(const Options& o, app::Context& context) {
  const model::Model model = app::read_model(o.model, o.images);
  if (!model::attention_layers(model.config).back().kind->has_problem) {
    throw InputError(o.model + ": attention '" + model.config.attention +
                     "' poses no problems (oa-score --model evaluates such a model)");
  }
  io::Output output = app::binary_output(o.common);
  const app::ImageSource source(o.images, model.config, context);
  io::StreamWriter writer(output);
  write_head(writer, model, context.history());

  parts::Weights weights(model.layout);
  weights.set(model.values);
  std::vector<model::Network> networks;  // memory of one image for each thread
  for (int t = 0; t < o.common.threads; ++t) {
    networks.emplace_back(model.config);
  }
  context.progress().start("images", source.size());
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < source.size() && !context.interrupted() ? std::optional(next++)
                                                          : std::nullopt;
  };
  const auto pose = [&](std::int64_t k, int worker) {
    const app::Image image = source[k];
    qubo::ImageProblem problem;
    problem.index = image.index;
    problem.label = image.label;
    model::Network& network = networks[static_cast<std::size_t>(worker)];
    network.begin(weights, image.pixels);
    encode::encode(network.pose(weights, 0).front(), problem);
    return problem;
  };
  std::int64_t written = 0;
  const auto write = [&](const qubo::ImageProblem& problem) {
    io::write_problem(writer, problem);
    ++written;
    context.progress().advance(1);
  };
  ordered_pipeline(o.common.threads, context.stop(), read, pose, write);
  writer.finish(!context.interrupted());
  output.commit();
  context.say(summary(o, model.config, written, !context.interrupted()));
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-qubo", "Poses the attention of images as QUBO problems, a stream of them."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
