#pragma once

#include "app/context.h"
#include "app/train/data.h"
#include "app/train/initial_model.h"
#include "app/train/log.h"
#include "app/train/summary.h"
#include "oa/base/stopwatch.h"
#include "oa/io/tensor/model_io.h"
#include "oa/train/trainer.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Files that a training keeps up to date; empty: none.
struct TrainingFiles {
  std::string checkpoint;
  std::string resume;
  LogNames logs;
  bool lines = true;  ///< what happens is said in lines on standard error

  /// The checkpoint of that seed, one of many or the only one; empty: none.
  [[nodiscard]] std::string checkpoint_of(std::int64_t seed, bool of_many) const;
};

/// In a checkpoint, the attention of heads that do not share keys yet.
inline constexpr const char* kMixedAttention = "oa.state.attention";

/// "model.bin" -> "model.7.bin"
[[nodiscard]] std::string with_seed(const std::string& path, std::int64_t seed);

/// What a model file says of the epoch that it is of.
void add_result(int best_epoch, double validation, io::Metadata& to);

/// Throws InputError unless `test` can be classified by such a model.
void check_test_data(const model::Config& config, const TrainingData& test);

/// Trainings one after the other, with what users see of them: progress, log,
/// checkpoints, summary.
class Training {
 public:
  /// Keeps a reference to `context`.  `test` may be empty.  A checkpoint to resume that
  /// is not there yet means a beginning, which is said.  With `ranks`, which must
  /// outlive it, all of them train each model together; only rank 0 writes files and
  /// speaks.
  Training(const TrainingFiles& files,
           TrainingData train,
           TrainingData test,
           int threads,
           Context& context,
           train::Ranks* ranks = nullptr);

  struct Trained {
    model::Model model;
    io::Metadata metadata;
  };

  /// What all ranks must have in common to train by `recipe`.
  [[nodiscard]] std::map<std::string, std::string> in_common(
      const train::Recipe& recipe) const;

  /// To be called once before run(), by all ranks at the same time, with what is in
  /// common: lets ranks hand each other held-out examples, takes the model that all
  /// trainings begin with, if there is one, and opens logs.
  void begin(const train::Recipe& recipe,
             const InitialOptions& options,
             const std::optional<model::Model>& initial);

  /// How a training ended, and the model of its best epoch.
  struct Outcome {
    train::TrainingEnd end;
    std::string why;              ///< it ended early; empty: it did not
    std::optional<Trained> best;  ///< none: it ended before the first epoch did
  };

  /// Trains by `recipe`.  With `of_many`, checkpoints carry the seed in their name.
  [[nodiscard]] Outcome run(const train::Recipe& recipe, bool of_many);

  /// A line on standard error, and in the summary as JSON.
  void warn(const std::string& text);

  /// Of all trainings so far.
  [[nodiscard]] std::string summary_text() const {
    return summary_.text(initial_ ? &*initial_ : nullptr);
  }
  [[nodiscard]] std::string summary_json() const {
    return summary_.json(initial_ ? &*initial_ : nullptr);
  }

 private:
  [[nodiscard]] io::Metadata identity_of(const train::Recipe& recipe) const;
  [[nodiscard]] static std::string why(train::TrainingEnd end,
                                       const train::Trainer& trainer);
  void resume(const train::Recipe& recipe, train::Trainer& trainer);
  [[nodiscard]] std::vector<std::int64_t> count_held_out(const train::Recipe& recipe);
  void warn_of_chance(const TrainedResult& result);
  void note(const std::string& line);
  [[nodiscard]] bool leads() const { return ranks_ == nullptr || ranks_->rank() == 0; }
  [[nodiscard]] train::Trainer trainer_for(const train::Recipe& recipe);
  [[nodiscard]] InitialData initial_data(const train::Recipe& recipe);
  [[nodiscard]] train::Evaluation evaluate_held_out(const train::Recipe& recipe,
                                                    const model::Model& model);
  [[nodiscard]] train::Evaluation evaluate_test(const train::Recipe& recipe,
                                                const model::Model& model);

  TrainingFiles files_;
  TrainingData train_;
  TrainingData test_;
  int threads_;
  Context& context_;
  train::Ranks* ranks_;
  std::optional<train::SharedExamples> shared_;
  std::optional<InitialModel> initial_;
  std::optional<TrainingLog> log_;
  Stopwatch since_begin_;
  std::vector<std::int64_t> held_out_classes_;  // examples of each class
  TrainingSummary summary_;
};

}  // namespace oa::app
