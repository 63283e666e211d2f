#include "app/evaluate.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/example_reader.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/io/table/scores_csv.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/classifier.h"
#include "oa/train/exact_forward.h"
#include "oa/train/source.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace oa::app {
namespace {

/// What became of an example.
struct Scored {
  std::vector<qubo::ImageSolution> heads;  ///< none if it was not read from a stream
  std::optional<score::Prediction> prediction;
  score::TaskScore task;  ///< where not one class is asked for
};

score::TaskScore judged(const model::Config& config,
                        num::ConstView scores,
                        const model::Answer& answer) {
  score::TaskScore task;
  task.objective = config.objective;
  task.text = !config.alphabet.empty();
  task.examples = 1;
  task.tally = model::judge(config.objective, scores, answer);
  if (task.text) {
    task.surprise = model::surprise(scores, answer);
  }
  return task;
}

void add(const Scored& scored, score::Run& run, const TakePrediction& take) {
  for (const qubo::ImageSolution& head : scored.heads) {
    run.add_solution(head);
  }
  if (scored.prediction) {
    run.add_prediction(*scored.prediction);
    take(*scored.prediction);
    return;
  }
  if (!run.task) {
    run.task = scored.task;
    return;
  }
  run.task->examples += scored.task.examples;
  run.task->tally += scored.task.tally;
  run.task->surprise += scored.task.surprise;
}

/// The classifiers of a stream, one for each thread, from its first head.
class StreamClassifiers {
 public:
  explicit StreamClassifiers(int threads) : threads_(threads) {}

  /// Takes a head.  Every head after the first must say the same.
  void take(const io::Frame& head) {
    const std::string& where = head.where;
    const model::Config config = io::read_config(head.data, where);
    const parts::Values values =
        io::read_values(head.data, score::readout_layout(config), where);
    if (classifiers_.empty()) {
      for (int t = 0; t < threads_; ++t) {
        classifiers_.emplace_back(config, values);
      }
      config_ = config;
      values_ = values;
    } else if (!(config == config_) ||
               !std::ranges::equal(values.flat(), values_.flat())) {
      throw InputError(where + ": another model than the part before it");
    }
  }

  [[nodiscard]] const model::Config& config() const { return config_; }

  /// Scores of an example and, where one class is asked for, its prediction.
  [[nodiscard]] Scored scored(std::vector<qubo::ImageSolution> heads,
                              const std::string& where,
                              int worker) {
    score::Classifier& own = classifiers_[static_cast<std::size_t>(worker)];
    const std::string refusal = own.refusal(heads);
    if (!refusal.empty()) {
      throw InputError(where + ": " + refusal);
    }
    const num::ConstView scores = own.scores(heads);
    const qubo::ImageProblem& first = heads.front().problem;
    Scored result;
    if (config_.objective == Objective::Class) {
      result.prediction = score::predict(
          first.index, first.label, model::probabilities(model::first_row(scores)));
    } else if (!first.targets.empty()) {
      result.task =
          judged(config_, scores, {.numbers = first.targets, .per_row = first.per_row});
    }
    result.heads = std::move(heads);
    return result;
  }

 private:
  int threads_;
  model::Config config_;
  parts::Values values_;
  std::vector<score::Classifier> classifiers_;
};

void evaluate(io::StreamReader& reader,
              int threads,
              Context& context,
              const std::function<void(const Scored&)>& take) {
  StreamClassifiers classifiers(threads);
  io::ExampleReader examples(reader);
  const auto read = [&]() -> std::optional<std::vector<io::Frame>> {
    std::vector<io::Frame> frames = examples.next();
    while (!frames.empty() && frames.front().kind == io::FrameKind::Head) {
      classifiers.take(frames.front());
      frames = examples.next();
    }
    return frames.empty() ? std::nullopt : std::optional(std::move(frames));
  };
  const auto classify = [&](const std::vector<io::Frame>& frames, int worker) {
    std::vector<qubo::ImageSolution> heads;
    for (const io::Frame& frame : frames) {
      if (frame.kind != io::FrameKind::Solution) {
        throw InputError(frame.where +
                         ": a problem without a solution (oa-anneal solves it)");
      }
      heads.push_back(io::read_solution(frame));
    }
    return classifiers.scored(std::move(heads), frames.front().where, worker);
  };
  const auto add = [&](const Scored& result) {
    take(result);
    context.progress().advance(1);
  };
  context.progress().start("images", 0);
  ordered_pipeline(threads, context.stop(), read, classify, add);
  context.progress().finish();
}

bool looks_like_table(io::Input& input) {
  auto start = input.peek(8);
  start = start.first(std::min<std::size_t>(start.size(), 8));
  return std::ranges::all_of(start, [](std::byte b) {
    return std::to_integer<int>(b) >= 0x20 && b != std::byte{0x7f};
  });
}

}  // namespace

void evaluate_stream(const std::string& path,
                     int threads,
                     Context& context,
                     score::Run& run,
                     const TakePrediction& take) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  evaluate(
      reader, threads, context, [&](const Scored& scored) { add(scored, run, take); });
  run.complete = reader.complete();
}

void evaluate_model(const std::string& path,
                    const ImageOptions& options,
                    bool exact,
                    int threads,
                    Context& context,
                    score::Run& run,
                    const TakePrediction& take) {
  const model::Model model = read_model(path, options);
  const ExampleSource source(options, model.config, context);
  parts::Weights weights(model.layout);
  weights.set(model.values);
  struct Worker {
    model::Network network;
    train::Source examples;
  };
  attention::SolverSettings solver;
  if (exact) {
    solver.binary = train::exact_optima();
  }
  std::vector<Worker> workers;
  for (int t = 0; t < threads; ++t) {
    workers.push_back(
        {model::Network(model.config, solver), train::Source(source.data())});
  }
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < source.size() && !context.interrupted() ? std::optional(next++)
                                                          : std::nullopt;
  };
  const auto classify = [&](std::int64_t k, int worker) {
    Worker& own = workers[static_cast<std::size_t>(worker)];
    const train::Source::Example example = own.examples.example(source.index(k));
    const num::ConstView scores = own.network.forward(weights, example.input);
    Scored scored;
    if (model.config.objective == Objective::Class) {
      scored.prediction =
          score::predict(source.index(k),
                         source.label(k),
                         model::probabilities(model::first_row(scores)));
    } else {
      scored.task = judged(model.config, scores, example.answer);
    }
    return scored;
  };
  const auto count = [&](const Scored& scored) {
    add(scored, run, take);
    context.progress().advance(1);
  };
  context.progress().start(model.config.takes_sequences() ? "sequences" : "images",
                           source.size());
  ordered_pipeline(threads, context.stop(), read, classify, count);
  context.progress().finish();
}

std::vector<score::ImageResult> read_image_results(const std::string& path,
                                                   int threads,
                                                   Context& context) {
  std::vector<score::ImageResult> results;
  io::Input input = io::Input::open(path, context.token());
  if (looks_like_table(input)) {
    for (score::Prediction& prediction : io::read_scores(input)) {
      results.push_back({std::move(prediction), 0, {}});
    }
    return results;
  }
  io::StreamReader reader(std::move(input));
  evaluate(reader, threads, context, [&](const Scored& scored) {
    if (!scored.prediction) {
      throw InputError(path + ": the model gives " + field_text(scored.task.objective) +
                       " (runs are compared where one class is asked for)");
    }
    const qubo::ImageSolution& solution = scored.heads.front();
    results.push_back(
        {*scored.prediction, qubo::fingerprint(solution.problem), solution.energy});
  });
  if (!reader.complete()) {
    context.warn(path + ": the stream is marked incomplete");
  }
  return results;
}

}  // namespace oa::app
