#include "app/pose/problem_stream.h"

#include "app/solve/options.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/base/stopwatch.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/io/tensor/model_io.h"
#include "oa/qubo/levels.h"
#include "oa/score/classifier.h"
#include "oa/solve/stream/image.h"
#include "oa/solve/stream/real.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::app {
namespace {

/// True if frames of images can hold the problems; else frames of tasks must.
bool are_images(const model::Config& config) {
  return !config.takes_sequences() && config.objective == Objective::Class &&
         config.layers == 1 && !config.residual && !config.causal &&
         model::heads_of(config, 0) == 1;
}

int layer_of(const PosingOptions& o, const model::Config& config) {
  const std::int64_t layer = o.layer.value_or(config.layers - 1);
  if (layer >= config.layers) {
    throw InputError(o.model + ": there is no layer " + format(layer) +
                     " (the model has " + format(config.layers) + ", counted from 0)");
  }
  const auto kinds = model::attention_layers(config);
  if (!kinds[static_cast<std::size_t>(layer)].kind->has_problem) {
    throw InputError(o.model + ": attention '" + config.attention +
                     "' poses no problems" +
                     (config.layers > 1 ? " in layer " + format(layer) : "") +
                     " (oa-score evaluates such a model)");
  }
  if (!o.answers.empty() && layer == 0) {
    throw UsageError("answers", ": there is no layer before layer 0");
  }
  return static_cast<int>(layer);
}

std::optional<int> head_of(const PosingOptions& o,
                           const model::Config& config,
                           int layer) {
  if (!o.head) {
    return std::nullopt;
  }
  const int heads = model::heads_of(config, layer);
  if (*o.head >= heads) {
    throw InputError(o.model + ": there is no head " + format(*o.head) +
                     " (the layer has " + format(heads) + ", counted from 0)");
  }
  return static_cast<int>(*o.head);
}

// The mean time of this sample is accurate within a few per cent, in about 1 s.
constexpr std::int64_t kSample = 32;

/// Measures the length of a stream without writing it.
class Length {
 public:
  Length() : output_("/dev/null"), writer_(output_) {
    writer_.head({}, {}, io::Series::Tasks);
    head_ = writer_.bytes();
  }
  [[nodiscard]] io::StreamWriter& writer() { return writer_; }
  [[nodiscard]] std::uint64_t bytes() const { return writer_.bytes() - head_; }

 private:
  io::Output output_;
  io::StreamWriter writer_;
  std::uint64_t head_ = 0;
};

qubo::SolvedProblem solve(qubo::Problem problem, Context& context) {
  if (problem.coefficients != Coefficients::Binary &&
      problem.coefficients != Coefficients::Levels) {
    return solve::solve_real(std::move(problem),
                             {.limit_s = 0.0, .times = true, .token = context.token()},
                             "plan");
  }
  const Chosen chosen = choose_solver({});
  const Rng rng = Rng(1).fork(static_cast<std::uint64_t>(problem.index));
  return solve::solve_image(std::move(problem),
                            {.method = chosen.method,
                             .solver = chosen.settings,
                             .times = true,
                             .token = context.token()},
                            rng);
}

/// Measures a sample; `pose` returns the problems of example k of the source.
Plan make_plan(const std::function<std::vector<qubo::Problem>(std::int64_t k)>& pose,
               const ExampleSource& source,
               Context& context) {
  Plan plan;
  plan.examples = source.size();
  Length problems;
  Length solutions;
  const std::int64_t wanted = std::min(kSample, source.size());
  context.progress().start("examples", wanted);
  for (; plan.sample < wanted && !context.interrupted(); ++plan.sample) {
    const Stopwatch posing;
    auto heads = pose(plan.sample * source.size() / wanted);
    plan.posing_s += posing.seconds();
    for (qubo::Problem& problem : heads) {
      plan.qubos += problem.n;
      plan.variables = std::max(plan.variables, problem.m);
      io::write_problem(problems.writer(), problem);
      const Stopwatch solving;
      const qubo::SolvedProblem solution = solve(std::move(problem), context);
      plan.solving_s += solving.seconds();
      io::write_solution(solutions.writer(), solution);
    }
    context.progress().advance(1);
  }
  context.progress().finish();
  const double all = static_cast<double>(plan.examples) /
                     static_cast<double>(std::max<std::int64_t>(1, plan.sample));
  const auto of_all = [&](auto of_sample) {
    return static_cast<std::int64_t>(
        std::llround(static_cast<double>(of_sample) * all));
  };
  plan.qubos = of_all(plan.qubos);
  plan.problem_bytes = of_all(problems.bytes());
  plan.solution_bytes = of_all(solutions.bytes());
  plan.posing_s *= all;
  plan.solving_s *= all;
  return plan;
}

}  // namespace

std::string Plan::text() const {
  return format_grouped(examples) + " examples, " + format_grouped(qubos) +
         " problems of up to " + format(variables) + " variables\n" +
         format_grouped(problem_bytes) + " bytes of problems, " +
         format_grouped(solution_bytes) + " bytes with solutions\n" +
         format_fixed(posing_s, 2) + " core-seconds to pose them, " +
         format_fixed(solving_s, 2) + " to solve them, estimated from " +
         format(sample) + " examples\n";
}

std::string Plan::json() const {
  return JsonObject{{"examples", examples},
                    {"qubos", qubos},
                    {"variables", variables},
                    {"problem_bytes", problem_bytes},
                    {"solution_bytes", solution_bytes},
                    {"posing_core_seconds", JsonValue::shortest(posing_s)},
                    {"solving_core_seconds", JsonValue::shortest(solving_s)},
                    {"sample", sample}}
             .text() +
         "\n";
}

struct ProblemStream::Posed {
  std::vector<qubo::Problem> heads;
  PenaltyCheck penalties;
};

ProblemStream::ProblemStream(PosingOptions options)
    : options_(std::move(options)),
      posed_(read_posed_model(options_.model, options_.images)) {
  if (posed_.model.config.coefficients == Coefficients::Marginal) {
    throw UsageError("coefficients",
                     " of " + options_.model +
                         " are marginals, not minima (expected binary or continuous)");
  }
  if (has_levels()) {
    (void)parse_field(options_.levels.encoding, posed_.model.config.encoding);
  }
  layer_ = layer_of(options_, posed_.model.config);
  head_ = head_of(options_, posed_.model.config, layer_);
}

bool ProblemStream::has_levels() const {
  return posed_.model.config.coefficients == Coefficients::Levels;
}

Plan ProblemStream::plan(Context& context) const {
  const ExampleSource source(options_.images, posed_.model.config, context);
  Poser poser = make_poser();
  return make_plan(
      [&](std::int64_t k) { return with_levels(poser.pose(source, k)).heads; },
      source,
      context);
}

Poser ProblemStream::make_poser() const {
  if (!posed_.signed_levels) {
    return {posed_.model, layer_, head_};
  }
  model::Model lasso = posed_.model;
  lasso.config.coefficients = Coefficients::Lasso;
  return {lasso, layer_, head_};
}

/// Writes the head frame with the readout, which classifies solutions.
void ProblemStream::write_head(io::StreamWriter& writer,
                               const std::string& history) const {
  io::PackedTensors readout = io::pack(score::readout_layout(posed_.model.config),
                                       posed_.model.layout,
                                       posed_.model.values);
  io::Metadata metadata = model::describe(posed_.model.config);
  metadata["oa.history"] = history;
  if (has_levels()) {
    metadata["oa.encoding"] = field_text(posed_.model.config.encoding);
  }
  writer.head(std::move(metadata),
              std::move(readout.views),
              are_images(posed_.model.config) ? io::Series::Images : io::Series::Tasks);
}

ProblemStream::Posed ProblemStream::with_levels(
    std::vector<qubo::Problem> heads) const {
  Posed posed{std::move(heads), {}};
  if (has_levels()) {
    for (qubo::Problem& problem : posed.heads) {
      if (posed_.signed_levels) {
        problem.coefficients = Coefficients::Lasso;
        problem.l1 = static_cast<float>(posed_.model.config.lambda / problem.m);
      }
      posed.penalties.add(pose_levels(
          posed_.model.config, options_.levels, options_.images.images, problem));
    }
  }
  return posed;
}

void ProblemStream::write_posed(const Posed& posed, io::StreamWriter& writer) {
  penalties_.add(posed.penalties);
  for (const qubo::Problem& problem : posed.heads) {
    io::write_problem(writer, problem);
    qubos_ += problem.n;
    variables_ = std::max(variables_, problem.m);
  }
  ++examples_;
}

void ProblemStream::write(io::Output& output, Context& context) {
  const ExampleSource source(options_.images, posed_.model.config, context);
  std::optional<AnswerReader> answers;
  if (!options_.answers.empty()) {
    answers.emplace(options_.answers, posed_.model.config, layer_ - 1, context);
  }
  io::StreamWriter writer(output);
  write_head(writer, context.history());

  std::vector<Poser> posers;  // a Poser for each thread
  for (int t = 0; t < context.threads(); ++t) {
    posers.push_back(make_poser());
  }
  context.progress().start(
      posed_.model.config.takes_sequences() ? "sequences" : "images", source.size());
  struct Job {
    std::int64_t k = 0;
    AnswerReader::Answers answers;
  };
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<Job> {
    if (next >= source.size() || context.interrupted()) {
      return std::nullopt;
    }
    return Job{next++, answers ? answers->next() : AnswerReader::Answers{}};
  };
  const auto pose = [&](const Job& job, int worker) {
    Poser& poser = posers[static_cast<std::size_t>(worker)];
    return with_levels(
        answers ? poser.pose(source, job.k, job.answers.heads, job.answers.where)
                : poser.pose(source, job.k));
  };
  const auto write = [&](const Posed& posed) {
    write_posed(posed, writer);
    context.progress().advance(1);
  };
  ordered_pipeline(context.threads(), context.stop(), read, pose, write);
  complete_ = !context.interrupted();
  writer.finish(complete_);
  output.commit();
  warn_of_penalties(penalties_, options_.levels, context);
}

std::string ProblemStream::summary_json() const {
  const model::Config& config = posed_.model.config;
  JsonObject json{{config.takes_sequences() ? "sequences" : "images", examples_},
                  {"qubos", qubos_},
                  {"variables", variables_},
                  {"coefficients", field_text(config.coefficients)},
                  {"complete", complete_}};
  if (has_levels()) {
    json.member("levels", config.levels)
        .member("encoding", field_text(config.encoding))
        .member("spins", variables_ * qubo::spins_of(config.encoding, config.levels));
  }
  return json.text() + "\n";
}

std::string ProblemStream::summary_text() const {
  const model::Config& config = posed_.model.config;
  const bool binary = config.coefficients == Coefficients::Binary;
  std::string kind;
  if (has_levels()) {
    const int spins = qubo::spins_of(config.encoding, config.levels);
    kind = " of " + format(config.levels) + " levels (" + counted(spins, "spin") +
           " each, " + field_text(config.encoding) + ")";
  } else if (!binary) {
    kind = " (" + field_text(config.coefficients) + " coefficients)";
  }
  return counted(examples_, config.takes_sequences() ? "sequence" : "image") + ", " +
         counted(qubos_, binary ? "QUBO" : "problem") + kind + " of " +
         (config.causal ? "up to " : "") + counted(variables_, "variable") + "\n";
}

}  // namespace oa::app
