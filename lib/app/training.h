#pragma once

#include "app/context.h"
#include "app/initial_model.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/tensor/model_io.h"
#include "oa/train/trainer.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Files that a training keeps up to date; empty: none.
struct TrainingFiles {
  std::string checkpoint;
  std::string resume;
  std::string log;
};

/// "model.bin" -> "model.7.bin"
[[nodiscard]] std::string with_seed(const std::string& path, std::int64_t seed);

/// Throws InputError unless `test` can be classified by such a model.
void check_test_data(const model::Config& config, const Dataset& test);

/// Trainings one after the other, with what users see of them: progress, log,
/// checkpoints, summary.
class Training {
 public:
  /// Keeps references to all but `files`.  `test` may be empty.
  Training(const TrainingFiles& files,
           const Dataset& train,
           const Dataset& test,
           int threads,
           Context& context);

  struct Trained {
    model::Model model;
    io::Metadata metadata;
  };

  /// All trainings begin with this model, which must outlive them.
  void begin_with(const InitialModel& initial) { initial_ = &initial; }

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
  };

  [[nodiscard]] io::Metadata identity_of(const train::Recipe& recipe) const;
  void log_initial(std::int64_t seed);
  void resume(const io::Metadata& identity, train::Trainer& trainer);
  [[nodiscard]] double seconds() const;

  TrainingFiles files_;
  const Dataset& train_;
  const Dataset& test_;
  int threads_;
  Context& context_;
  const InitialModel* initial_ = nullptr;
  std::optional<io::LogFile> log_;
  std::chrono::steady_clock::time_point begin_;
  std::vector<Result> results_;
};

}  // namespace oa::app
