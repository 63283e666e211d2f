#pragma once

#include "app/context.h"
#include "app/initial_model.h"
#include "app/training_data.h"
#include "app/training_log.h"
#include "oa/io/tensor/model_io.h"
#include "oa/train/trainer.h"

#include <chrono>
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
};

/// "model.bin" -> "model.7.bin"
[[nodiscard]] std::string with_seed(const std::string& path, std::int64_t seed);

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

  /// Trains by `recipe`; nothing if interrupted or if the loss ceased to be finite,
  /// which is said.  With `of_many`, checkpoints carry the seed in their name.
  [[nodiscard]] std::optional<Trained> run(const train::Recipe& recipe, bool of_many);

  [[nodiscard]] std::string summary_text() const;
  [[nodiscard]] std::string summary_json() const;

 private:
  struct Result {
    std::int64_t seed = 0;
    std::int64_t parameters = 0;
    int best_epoch = 0;
    double validation = 0.0;
    std::optional<double> test;
    double seconds = 0.0;
    double images_per_second = 0.0;
    bool pictures = true;          ///< what these images are
    std::optional<double> waited;  ///< seconds, for other ranks
  };

  [[nodiscard]] io::Metadata identity_of(const train::Recipe& recipe) const;
  void resume(const train::Recipe& recipe, train::Trainer& trainer);
  void note(const std::string& line);
  [[nodiscard]] double seconds() const;
  [[nodiscard]] bool leads() const { return ranks_ == nullptr || ranks_->rank() == 0; }
  [[nodiscard]] train::Trainer trainer_for(const train::Recipe& recipe);
  [[nodiscard]] InitialData initial_data(const train::Recipe& recipe);
  [[nodiscard]] train::Evaluation evaluate_held_out(
      const train::Recipe& recipe,
      const attention::SolverSettings& solver,
      const model::Model& model);
  [[nodiscard]] train::Evaluation evaluate_test(const train::Recipe& recipe,
                                                const attention::SolverSettings& solver,
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
  std::chrono::steady_clock::time_point begin_;
  std::vector<Result> results_;
};

}  // namespace oa::app
