// oa-qubo: poses the problems of images and sequences as a stream.  See oa-qubo(1).
#include "app/plan.h"
#include "app/posing.h"
#include "cli/cli.h"
#include "cli/image_options.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/qubo/levels.h"
#include "oa/score/classifier.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::string model;
  app::ImageOptions images;
  app::LevelOptions levels;
  std::optional<std::int64_t> layer;
  std::optional<std::int64_t> head;
  std::string answers;
  bool plan = false;
};

void declare(cli::App& app, Options& o) {
  app.add_option("MODEL", o.model, "Model file")->required();
  cli::add_images(app, o.images);
  cli::add_levels(app, o.levels);
  cli::add_shard(app, o.images);
  app.add_option("--layer", o.layer, "Of this layer, counted from 0")
      ->type_name("N")
      ->default_str("the last")
      ->check(cli::between(0, 65535));
  auto* head = app.add_option("--head", o.head, "Of this head alone, counted from 0")
                   ->type_name("N")
                   ->default_str("all")
                   ->check(cli::between(0, 65535));
  auto* answers =
      app.add_option("--answers", o.answers, "Solutions of the layer before, a stream")
          ->type_name("FILE")
          ->default_str("its optima")
          ->excludes(head);
  app.add_flag("--plan", o.plan, "Write no stream: say how much it would be")
      ->excludes(answers);
  cli::add_output(app, o.common, "Where the stream goes");
  cli::add_threads(app, o.common);
  cli::add_json_summary(app, o.common);
}

/// Whether frames are those of the first series: the problems of one image.
bool are_images(const model::Config& config) {
  return !config.takes_sequences() && config.objective == Objective::Class &&
         config.layers == 1 && !config.residual && !config.causal &&
         model::heads_of(config, 0) == 1;
}

/// Writes the head: what is needed to classify when the problems are solved.
void write_head(io::StreamWriter& writer,
                const model::Model& model,
                const std::string& history) {
  io::PackedTensors readout =
      io::pack(score::readout_layout(model.config), model.layout, model.values);
  io::Metadata metadata = model::describe(model.config);
  metadata["oa.history"] = history;
  if (model.config.coefficients == Coefficients::Levels) {
    metadata["oa.encoding"] = field_text(model.config.encoding);
  }
  writer.head(std::move(metadata),
              std::move(readout.views),
              are_images(model.config) ? io::Series::Images : io::Series::Tasks);
}

std::string summary(const Options& o,
                    const model::Config& config,
                    std::int64_t examples,
                    std::int64_t qubos,
                    int variables,
                    bool complete) {
  const std::string coefficients = field_text(config.coefficients);
  const bool sequences = config.takes_sequences();
  if (o.common.json) {
    JsonObject json{{sequences ? "sequences" : "images", examples},
                    {"qubos", qubos},
                    {"variables", variables},
                    {"coefficients", coefficients},
                    {"complete", complete}};
    if (config.coefficients == Coefficients::Levels) {
      json.member("levels", config.levels)
          .member("encoding", field_text(config.encoding))
          .member("spins", variables * qubo::spins_of(config.encoding, config.levels));
    }
    return json.text() + "\n";
  }
  std::string kind = " (" + coefficients + " coefficients)";
  if (config.coefficients == Coefficients::Levels) {
    const int spins = qubo::spins_of(config.encoding, config.levels);
    kind = " of " + format(config.levels) + " levels (" + counted(spins, "spin") +
           " each, " + field_text(config.encoding) + ")";
  }
  const bool binary = config.coefficients == Coefficients::Binary;
  return counted(examples, sequences ? "sequence" : "image") + ", " +
         counted(qubos, binary ? "QUBO" : "problem") + (binary ? "" : kind) + " of " +
         (config.causal ? "up to " : "") + counted(variables, "variable") + "\n";
}

/// The layer asked for.  Throws where it, or the head, is none that poses problems.
int layer_of(const Options& o, const model::Config& config) {
  const auto layer = static_cast<int>(o.layer.value_or(config.layers - 1));
  if (o.layer.value_or(0) >= config.layers) {
    throw InputError(o.model + ": there is no layer " + format(o.layer.value_or(0)) +
                     " (the model has " + format(config.layers) + ", counted from 0)");
  }
  const auto kinds = model::attention_layers(config);
  if (!kinds[static_cast<std::size_t>(layer)].kind->has_problem) {
    throw InputError(o.model + ": attention '" + config.attention +
                     "' poses no problems" +
                     (config.layers > 1 ? " in layer " + format(layer) : "") +
                     " (oa-score --model evaluates such a model)");
  }
  if (o.head && *o.head >= model::heads_of(config, layer)) {
    throw InputError(o.model + ": there is no head " + format(*o.head) +
                     " (the layer has " + format(model::heads_of(config, layer)) +
                     ", counted from 0)");
  }
  if (!o.answers.empty() && layer == 0) {
    throw app::UsageError("--answers: there is no layer before layer 0");
  }
  return layer;
}

app::Exit write_plan(const Options& o,
                     const app::Plan& plan,
                     const app::Context& context) {
  const std::string& file = o.common.json_file;
  io::Output output(file.empty() ? o.common.output : file);
  output.write(o.common.json ? plan.json() : plan.text());
  output.commit();
  return context.status(true);
}

app::Exit work(const Options& o, app::Context& context) {
  model::Model model = app::read_model(o.model, o.images);
  const bool has_levels = model.config.coefficients == Coefficients::Levels;
  if (has_levels) {
    (void)parse_field(o.levels.encoding, model.config.encoding);
  }
  const int layer = layer_of(o, model.config);
  const auto head = o.head ? std::optional(static_cast<int>(*o.head)) : std::nullopt;
  if (o.plan) {
    const app::ExampleSource source(o.images, model.config, context);
    return write_plan(o, app::make_plan(model, layer, head, source, context), context);
  }
  io::Output output = app::binary_output(o.common);
  const app::ExampleSource source(o.images, model.config, context);
  std::optional<app::AnswerReader> answers;
  if (!o.answers.empty()) {
    answers.emplace(o.answers, model.config, layer - 1, context);
  }
  io::StreamWriter writer(output);
  write_head(writer, model, context.history());

  std::vector<app::Poser> posers;  // with memory of one example for each thread
  for (int t = 0; t < o.common.threads; ++t) {
    posers.emplace_back(model, layer, head);
  }
  context.progress().start(model.config.takes_sequences() ? "sequences" : "images",
                           source.size());
  struct Job {
    std::int64_t k = 0;
    app::AnswerReader::Answers answers;
  };
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<Job> {
    if (next >= source.size() || context.interrupted()) {
      return std::nullopt;
    }
    return Job{next++, answers ? answers->next() : app::AnswerReader::Answers{}};
  };
  struct Posed {
    std::vector<qubo::ImageProblem> heads;
    app::PenaltyCheck penalties;
  };
  const auto pose = [&](const Job& job, int worker) {
    app::Poser& poser = posers[static_cast<std::size_t>(worker)];
    Posed posed{answers
                    ? poser.pose(source, job.k, job.answers.heads, job.answers.where)
                    : poser.pose(source, job.k),
                {}};
    for (qubo::ImageProblem& problem : posed.heads) {
      if (has_levels) {
        posed.penalties.add(
            app::pose_levels(model.config, o.levels, o.images.images, problem));
      }
    }
    return posed;
  };
  std::int64_t written = 0;
  std::int64_t qubos = 0;
  int variables = 0;
  app::PenaltyCheck penalties;
  const auto write = [&](const Posed& posed) {
    penalties.add(posed.penalties);
    for (const qubo::ImageProblem& problem : posed.heads) {
      io::write_problem(writer, problem);
      qubos += problem.n;
      variables = std::max(variables, problem.m);
    }
    ++written;
    context.progress().advance(1);
  };
  ordered_pipeline(o.common.threads, context.stop(), read, pose, write);
  writer.finish(!context.interrupted());
  output.commit();
  if (penalties.problems > 0) {
    context.warn("--penalty " + format(*o.levels.penalty) +
                 " is not proved to suffice in " + format_grouped(penalties.problems) +
                 " problems (" + format(static_cast<float>(penalties.needed)) +
                 " is, in all)");
  }
  context.summarise(
      o.common,
      summary(o, model.config, written, qubos, variables, !context.interrupted()));
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>({"oa-qubo",
                                    "Poses the attention of images or sequences as "
                                    "QUBO problems, a stream of them."},
                                   argc,
                                   argv,
                                   oa::declare,
                                   oa::work);
}
