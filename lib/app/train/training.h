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

/// The files that a training writes; a file with an empty name is not written.
struct TrainingFiles {
  std::string checkpoint;
  std::string resume;
  LogNames logs;
  bool lines = true;  ///< write messages to stderr

  /// The checkpoint's file for a seed; if empty, none is written.
  [[nodiscard]] std::string checkpoint_of(std::int64_t seed, bool of_many) const;
};

/// Metadata key in a checkpoint: the attention of heads that do not share keys yet.
inline constexpr const char* kMixedAttention = "oa.state.attention";

/// "model.bin" -> "model.7.bin"
[[nodiscard]] std::string with_seed(const std::string& path, std::int64_t seed);

/// Adds the best epoch and its validation accuracy, if known, to the metadata.
void add_result(int best_epoch, std::optional<double> validation, io::Metadata& to);

/// The validation accuracy of the best epoch; empty if no examples are held out.
[[nodiscard]] std::optional<double> best_accuracy(const train::State& state);

/// Throws InputError unless the model can classify `test`.
void check_test_data(const model::Config& config, const TrainingData& test);

/// Runs several trainings, with progress, logs, checkpoints and a summary.
class Training {
 public:
  /// Keeps references to `context` and `ranks`.  `test` may be empty.
  /// If the checkpoint to resume is missing, the training starts at epoch 1,
  /// with a note.  With `ranks`, all ranks train each model together,
  /// and only rank 0 writes files and messages.
  Training(const TrainingFiles& files,
           TrainingData train,
           TrainingData test,
           Context& context,
           train::Ranks* ranks = nullptr);

  struct Trained {
    model::Model model;
    io::Metadata metadata;
  };

  /// Facts that must agree on all ranks.
  [[nodiscard]] std::map<std::string, std::string> in_common(
      const train::Recipe& recipe) const;

  /// Distributes held-out examples, prepares the initial model, if any, and opens logs.
  /// Call this once before run(), on all ranks together.
  void begin(const train::Recipe& recipe,
             const InitialOptions& options,
             const std::optional<model::Model>& initial);

  /// The result of a training: the model of its best epoch.
  struct Outcome {
    train::TrainingEnd end;
    std::string why;              ///< why the training ended early, or empty
    std::optional<Trained> best;  ///< empty: no epoch ended
  };

  /// Trains by `recipe`.  `of_many`: checkpoints have the seed in their names.
  [[nodiscard]] Outcome run(const train::Recipe& recipe, bool of_many);

  /// Warns on standard error, and in the JSON summary.
  void warn(const std::string& text);

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
  Context& context_;
  train::Ranks* ranks_;
  std::optional<train::SharedExamples> shared_;
  std::optional<InitialModel> initial_;
  std::optional<TrainingLog> log_;
  Stopwatch since_begin_;
  std::vector<std::int64_t> held_out_classes_;  // number of held-out examples by class
  TrainingSummary summary_;
};

}  // namespace oa::app
