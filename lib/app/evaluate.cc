#include "app/evaluate.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/io/table/scores_csv.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/classifier.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace oa::app {
namespace {

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

  [[nodiscard]] score::Prediction predict(const qubo::ImageSolution& s,
                                          const std::string& where,
                                          int worker) {
    score::Classifier& own = classifiers_[static_cast<std::size_t>(worker)];
    if (!own.fits(s.problem)) {
      throw InputError(where + ": " + format(s.problem.n) + " queries of width " +
                       format(s.problem.d) + " (the model of the head has " +
                       format(config_.query_count()) + " of width " +
                       format(config_.dim) + ")");
    }
    return score::predict(s.problem.index, s.problem.label, own.classify(s));
  }

 private:
  int threads_;
  model::Config config_;
  parts::Values values_;
  std::vector<score::Classifier> classifiers_;
};

using TakeSolution =
    std::function<void(const qubo::ImageSolution&, const score::Prediction&)>;

void evaluate(io::StreamReader& reader,
              int threads,
              Context& context,
              const TakeSolution& take) {
  StreamClassifiers classifiers(threads);
  const auto read = [&]() -> std::optional<io::Frame> {
    auto frame = reader.next();
    while (frame && frame->kind == io::FrameKind::Head) {
      classifiers.take(*frame);
      frame = reader.next();
    }
    return frame;
  };
  const auto classify = [&](const io::Frame& frame, int worker) {
    if (frame.kind == io::FrameKind::Problem) {
      throw InputError(frame.where +
                       ": a problem without a solution (oa-anneal solves it)");
    }
    qubo::ImageSolution solution = io::read_solution(frame);
    score::Prediction prediction = classifiers.predict(solution, frame.where, worker);
    return std::pair(std::move(solution), std::move(prediction));
  };
  const auto add =
      [&](const std::pair<qubo::ImageSolution, score::Prediction>& result) {
        take(result.first, result.second);
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
  const auto add = [&](const qubo::ImageSolution& s, const score::Prediction& p) {
    run.add_solution(s);
    run.add_prediction(p);
    take(p);
  };
  evaluate(reader, threads, context, add);
  run.complete = reader.complete();
}

void evaluate_model(const std::string& path,
                    const ImageOptions& options,
                    int threads,
                    Context& context,
                    score::Run& run,
                    const TakePrediction& take) {
  const model::Model model = read_model(path, options);
  const ImageSource source(options, model.config, context);
  parts::Weights weights(model.layout);
  weights.set(model.values);
  std::vector<model::Network> networks;
  for (int t = 0; t < threads; ++t) {
    networks.emplace_back(model.config);
  }
  std::int64_t next = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < source.size() && !context.interrupted() ? std::optional(next++)
                                                          : std::nullopt;
  };
  const auto classify = [&](std::int64_t k, int worker) {
    const Image image = source[k];
    model::Network& network = networks[static_cast<std::size_t>(worker)];
    const num::ConstView scores = network.forward(weights, image.pixels);
    return score::predict(
        image.index, image.label, model::probabilities(model::first_row(scores)));
  };
  const auto add = [&](const score::Prediction& prediction) {
    run.add_prediction(prediction);
    take(prediction);
    context.progress().advance(1);
  };
  context.progress().start("images", source.size());
  ordered_pipeline(threads, context.stop(), read, classify, add);
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
  evaluate(reader,
           threads,
           context,
           [&](const qubo::ImageSolution& s, const score::Prediction& prediction) {
             results.push_back({prediction, qubo::fingerprint(s.problem), s.energy});
           });
  if (!reader.complete()) {
    context.warn(path + ": the stream is marked incomplete");
  }
  return results;
}

}  // namespace oa::app
