#include "app/score/evaluate.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/example_reader.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/io/table/scores_csv.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/classifier.h"
#include "oa/score/marginals.h"
#include "oa/train/source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace oa::app {
namespace {

/// The result of scoring one example.
struct Scored {
  std::int64_t index = 0;
  std::vector<qubo::SolvedProblem> heads;  ///< empty if not from a stream
  std::optional<score::Prediction> prediction;
  score::TaskScore task;  ///< for tasks other than classification
  std::optional<score::LeastSquares> least_squares;
  std::vector<io::AnswerRow> answers;
};

/// Results to compute besides the report.
struct Wanted {
  bool answers = false;          ///< answers to all questions
  bool surprise = false;         ///< also for tasks other than texts
  const Truth* truth = nullptr;  ///< of least squares problems
  bool marginals = false;        ///< coefficients are marginals of samples
};

score::TaskScore judged(const model::Config& config,
                        num::ConstView scores,
                        const model::Answer& answer,
                        const Wanted& wanted) {
  score::TaskScore task;
  task.objective = config.objective;
  task.text = !config.alphabet.empty();
  task.examples = 1;
  task.tally = model::judge(config.objective, scores, answer);
  if (task.objective == Objective::Positions && (task.text || wanted.surprise)) {
    task.surprise = model::surprise(scores, answer);
  }
  return task;
}

std::vector<io::AnswerRow> answers_of(const model::Config& config,
                                      std::int64_t index,
                                      num::ConstView scores,
                                      const model::Answer& answer) {
  std::vector<io::AnswerRow> rows;
  for (model::Question& q : model::questions(config.objective, scores, answer)) {
    rows.push_back({.index = index,
                    .row = q.number,
                    .right = {q.right.begin(), q.right.end()},
                    .answer = std::move(q.answer),
                    .correct = q.correct,
                    .surprise = q.surprise,
                    .present = q.present});
  }
  return rows;
}

void add(const Scored& scored, score::Run& run, const Takers& takers) {
  for (const qubo::SolvedProblem& head : scored.heads) {
    run.add_solution(head);
  }
  if (scored.prediction) {
    run.add_prediction(*scored.prediction);
    if (takers.prediction) {
      takers.prediction(*scored.prediction);
    }
    return;
  }
  if (scored.least_squares) {
    run.add_least_squares(*scored.least_squares);
    return;
  }
  run.add_task(scored.task, scored.index);
  for (const io::AnswerRow& row : scored.answers) {
    takers.answer(scored.task.objective, row);
  }
}

/// Facts from the head of a stream of least squares problems.
struct LeastSquaresHead {
  std::int64_t problems = 0;
  qubo::Alphabet alphabet;
};

std::optional<LeastSquaresHead> least_squares_head(const io::Frame& head) {
  const auto alphabet =
      qubo::parse_alphabet(head.data.metadata, head.levels, head.where);
  if (!alphabet) {
    return std::nullopt;
  }
  const auto found = head.data.metadata.find("oa.problems");
  const auto problems =
      found == head.data.metadata.end() ? std::nullopt : parse_int(found->second);
  if (!problems || *problems < 1) {
    throw InputError(head.where + ": its metadata have no valid oa.problems");
  }
  return LeastSquaresHead{*problems, *alphabet};
}

/// A stream's classifiers, one for each thread, made from its first head frame.
class StreamClassifiers {
 public:
  StreamClassifiers(int threads, const Wanted& wanted)
      : threads_(threads),
        wanted_(wanted) {}

  /// Makes classifiers from a head frame; later heads must equal the first.
  void take(const io::Frame& head) {
    const std::string& where = head.where;
    least_squares_ = least_squares_head(head);
    if (least_squares_) {
      return;
    }
    if (wanted_.truth != nullptr) {
      throw InputError(where +
                       ": truth is for least squares problems (oa-qubo --values)");
    }
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

  /// Replaces a solution's coefficients by marginals of the samples in its frame.
  void take_marginals(const io::Frame& frame, qubo::SolvedProblem& s) const {
    const std::int64_t levels =
        frame.coefficients == Coefficients::Levels ? frame.levels : 2;
    const auto all = static_cast<std::int64_t>(s.problem.variables()) * levels;
    const io::Shape shape = s.problem.of_task()
                                ? io::Shape{all}
                                : io::Shape{s.problem.n, s.problem.m, levels};
    const auto shares = frame.data.get<float>("marginals", shape, frame.where);
    for (const float share : shares) {
      if (!(share >= 0.0F && share <= 1.0F)) {
        throw InputError(frame.where + ": a marginal is " + format(share) +
                         " (expected 0 to 1)");
      }
    }
    if (least_squares_) {
      score::take_likeliest_bits(shares, s);
    } else {
      score::take_means(shares, s);
    }
  }

  /// Scores an example; also predicts its class, for classification.
  [[nodiscard]] Scored scored(std::vector<qubo::SolvedProblem> heads,
                              const std::string& where,
                              int worker) {
    if (least_squares_) {
      return counted_least_squares(std::move(heads));
    }
    score::Classifier& own = classifiers_[static_cast<std::size_t>(worker)];
    const std::string refusal = own.refusal(heads);
    if (!refusal.empty()) {
      throw InputError(where + ": " + refusal);
    }
    const num::ConstView scores = own.scores(heads);
    const qubo::Problem& first = heads.front().problem;
    Scored result;
    result.index = first.index;
    if (config_.objective == Objective::Class) {
      result.prediction = score::predict(
          first.index, first.label, model::probabilities(model::first_row(scores)));
    } else if (!first.targets.numbers.empty()) {
      const model::Answer answer{.numbers = first.targets.numbers,
                                 .per_row = first.targets.per_row};
      result.task = judged(config_, scores, answer, wanted_);
      if (wanted_.answers) {
        result.answers = answers_of(config_, first.index, scores, answer);
      }
    }
    result.heads = std::move(heads);
    return result;
  }

 private:
  [[nodiscard]] Scored counted_least_squares(
      std::vector<qubo::SolvedProblem> heads) const {
    const qubo::SolvedProblem& only = heads.front();
    Scored result;
    result.index = only.problem.index;
    const std::vector<std::uint8_t> truth =
        wanted_.truth == nullptr
            ? std::vector<std::uint8_t>()
            : wanted_.truth->levels(
                  only.problem, least_squares_->problems, least_squares_->alphabet);
    result.least_squares =
        score::count_least_squares(only, least_squares_->alphabet, truth);
    result.heads = std::move(heads);
    return result;
  }

  int threads_;
  Wanted wanted_;
  std::optional<LeastSquaresHead> least_squares_;
  model::Config config_;
  parts::Values values_;
  std::vector<score::Classifier> classifiers_;
};

void evaluate(io::StreamReader& reader,
              const Wanted& wanted,
              Context& context,
              const std::function<void(const Scored&)>& take) {
  StreamClassifiers classifiers(context.threads(), wanted);
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
    std::vector<qubo::SolvedProblem> heads;
    for (const io::Frame& frame : frames) {
      if (frame.kind != io::FrameKind::Solution) {
        throw InputError(frame.where +
                         ": a problem without a solution (oa-anneal solves it)");
      }
      heads.push_back(io::read_solution(frame));
      if (wanted.marginals) {
        classifiers.take_marginals(frame, heads.back());
      }
    }
    return classifiers.scored(std::move(heads), frames.front().where, worker);
  };
  const auto add = [&](const Scored& result) {
    take(result);
    context.progress().advance(1);
  };
  context.progress().start("images", 0);
  ordered_pipeline(context.threads(), context.stop(), read, classify, add);
  context.progress().finish();
}

score::Solved solved(const std::vector<qubo::SolvedProblem>& heads) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  score::Solved all;
  for (const qubo::SolvedProblem& head : heads) {
    all.problem = all.problem * kOdd + qubo::fingerprint(head.problem);
    all.energies.insert(all.energies.end(), head.energy.begin(), head.energy.end());
  }
  return all;
}

bool poses_problems(const model::Config& config) {
  const auto layers = model::attention_layers(config);
  return std::ranges::any_of(
      layers, [](const attention::KindSpec& spec) { return spec.kind->has_problem; });
}

bool finds_levels(const model::Config& config) {
  return poses_problems(config) && (config.coefficients == Coefficients::Binary ||
                                    config.coefficients == Coefficients::Levels);
}

/// Tells how the model finds coefficients, for the report.
std::string how_found(const model::Config& config, bool optima) {
  return !finds_levels(config) ? field_text(config.coefficients)
         : optima              ? "optima"
                               : "rounded";
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
                     Context& context,
                     score::Run& run,
                     const Takers& takers,
                     const StreamScoring& how) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  const Wanted wanted{.answers = takers.answer != nullptr,
                      .truth = how.truth,
                      .marginals = how.marginals};
  evaluate(reader, wanted, context, [&](const Scored& one) { add(one, run, takers); });
  run.complete = run.complete && reader.complete();
}

void evaluate_model(const std::string& path,
                    const ImageOptions& options,
                    std::optional<bool> exact,
                    Context& context,
                    score::Run& run,
                    const Takers& takers) {
  const LoadedModel loaded = read_model(path, options);
  const model::Model& model = loaded.model;
  const bool optima = exact.value_or(loaded.exact) && finds_levels(model.config);
  const ExampleSource source(options, model.config, context);
  parts::Weights weights(model.layout);
  weights.set(model.values);
  struct Worker {
    model::Network network;
    train::Source examples;
  };
  std::vector<Worker> workers;
  std::vector<train::ExactCount> solved(static_cast<std::size_t>(context.threads()));
  for (train::ExactCount& count : solved) {
    workers.push_back({model::Network(model.config, solver_of(optima, &count)),
                       train::Source(source.data())});
  }
  const Wanted wanted{.answers = takers.answer != nullptr};
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < source.size() && !context.interrupted() ? std::optional(next++)
                                                          : std::nullopt;
  };
  const auto classify = [&](std::int64_t k, int worker) {
    Worker& own = workers[static_cast<std::size_t>(worker)];
    const train::Source::Example example = own.examples.example(source.place(k));
    const num::ConstView scores = own.network.forward(weights, example.input);
    Scored scored;
    scored.index = source.index(k);
    if (model.config.objective == Objective::Class) {
      scored.prediction =
          score::predict(source.index(k),
                         source.label(k),
                         model::probabilities(model::first_row(scores)));
    } else {
      scored.task = judged(model.config, scores, example.answer, wanted);
      if (wanted.answers) {
        scored.answers = answers_of(model.config, scored.index, scores, example.answer);
      }
    }
    return scored;
  };
  const auto count = [&](const Scored& scored) {
    add(scored, run, takers);
    context.progress().advance(1);
  };
  context.progress().start(model.config.takes_sequences() ? "sequences" : "images",
                           source.size());
  ordered_pipeline(context.threads(), context.stop(), read, classify, count);
  context.progress().finish();
  if (poses_problems(model.config)) {
    run.coefficients = how_found(model.config, optima);
  }
  for (const train::ExactCount& own : solved) {
    run.qubos += own.qubos;
    run.proved_optimal += own.proved;
  }
}

std::vector<std::string> class_names_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return {};  // a pipe cannot be read twice
  }
  io::Input input = io::Input::open(path);
  const io::Safetensors file = io::read_safetensors_file(input);
  const auto found = file.metadata.find("oa.train.classes");
  std::vector<std::string> names;
  if (found == file.metadata.end()) {
    return names;
  }
  std::string_view rest = found->second;
  for (auto slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
    names.emplace_back(rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
  }
  names.emplace_back(rest);
  return names;
}

RunResults read_results(const std::string& path, Context& context) {
  io::Input input = io::Input::open(path, context.token());
  if (looks_like_table(input)) {
    if (io::are_answers(input)) {
      return io::read_answers(input);
    }
    std::vector<score::ImageResult> images;
    for (score::Prediction& prediction : io::read_scores(input)) {
      images.push_back({std::move(prediction)});
    }
    return images;
  }
  io::StreamReader reader(std::move(input));
  std::vector<score::ImageResult> images;
  std::vector<score::TaskResult> tasks;
  evaluate(reader, {.surprise = true}, context, [&](const Scored& scored) {
    if (scored.prediction) {
      images.push_back({*scored.prediction, solved(scored.heads)});
    } else {
      tasks.push_back(scored.task.result(scored.index));
      tasks.back().solved = solved(scored.heads);
    }
  });
  if (!reader.complete()) {
    context.warn(path + ": the stream is marked incomplete");
  }
  return tasks.empty() ? RunResults(std::move(images)) : RunResults(std::move(tasks));
}

std::vector<score::ImageResult> read_image_results(const std::string& path,
                                                   Context& context) {
  RunResults results = read_results(path, context);
  if (std::holds_alternative<std::vector<score::TaskResult>>(results)) {
    throw InputError(path + ": answers of a task (expected predictions of a class)");
  }
  return std::get<0>(std::move(results));
}

}  // namespace oa::app
