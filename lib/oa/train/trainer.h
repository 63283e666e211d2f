#pragma once

#include "oa/base/progress.h"
#include "oa/data/dataset.h"
#include "oa/model/convert.h"
#include "oa/model/network.h"
#include "oa/train/batches.h"
#include "oa/train/evaluate.h"
#include "oa/train/settings.h"
#include "oa/train/shared_examples.h"
#include "oa/train/source.h"
#include "oa/train/state.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace oa::train {

/// The progress since the last report.
struct StepReport {
  int epoch = 0;          ///< from 1
  std::int64_t step = 0;  ///< total steps
  double loss = 0.0;      ///< mean over the epoch so far
  double accuracy = 0.0;
  double rate = 0.0;
  double gradient_norm = 0.0;  ///< of the last step
  /// Seconds since run() started in which this rank waited for others; none for a
  /// single process.
  std::optional<double> waited;
};

struct EpochReport {
  StepReport training;
  Evaluation held_out;
  bool best = false;  ///< the best epoch so far
};

/// Callbacks of the trainer on the calling thread; any may be empty.
struct Hooks {
  std::function<void(const StepReport&)> step;  ///< every `step_interval` steps
  std::function<void(const EpochReport&, const model::Model&)> epoch;
  std::function<void(const State&)> checkpoint;  ///< after epochs and at a stop
  int step_interval = 100;
};

/// The start of a training, instead of random parameters.
struct Start {
  model::Model model;
  /// The number of steps in which heads of this model move to shared keys and values,
  /// as in the trained configuration; the model has that of model::before_sharing().
  /// Step s (from 0) mixes them by s / mixing.  0: the model has the trained
  /// configuration.
  int mixing = 0;
};

enum class TrainingEnd { Finished, Interrupted, Diverged };

/// Trains one model.  The result depends, bit for bit, only on settings, data and seed,
/// not on threads, ranks or interruptions: batches are divided independently of them,
/// gradients are summed in order, and every random choice is a function of seed, epoch
/// and example.
class Trainer {
 public:
  /// Keeps a reference to `data`, which has labels or targets.  The last
  /// settings.held_out examples are not trained on.  Throws InputError if none would be
  /// left.
  Trainer(const model::Config& config,
          const Settings& settings,
          const Dataset& data,
          int threads,
          const std::optional<Start>& start = {});

  /// For several processes, which all make the same calls and get the same state.
  /// Keeps a reference to `examples`.  There are at most settings.parts ranks.
  Trainer(const model::Config& config,
          const Settings& settings,
          SharedExamples& examples,
          int threads,
          const std::optional<Start>& start = {});

  [[nodiscard]] const State& state() const { return state_; }
  /// Continues from a checkpoint of the same configuration, settings and data.
  void resume(State state) { state_ = std::move(state); }

  /// Runs until the last epoch, a stop request on any rank (after the current batch),
  /// or a loss that is not finite; then the state is that before the bad step.
  [[nodiscard]] TrainingEnd run(const Hooks& hooks,
                                const std::stop_token& stop = {},
                                Progress* progress = nullptr);

  /// The model of the best epoch; before the end of the first epoch, the current one.
  [[nodiscard]] model::Model best() const;

  [[nodiscard]] std::int64_t steps_per_epoch() const { return batches_.steps(); }
  [[nodiscard]] std::int64_t total_steps() const {
    return steps_per_epoch() * settings_.epochs;
  }
  /// The layout of the state.
  [[nodiscard]] const parts::Layout& layout() const { return layout_; }
  [[nodiscard]] int training_examples() const { return training_examples_; }
  /// The time of all steps of run(), without evaluations.
  [[nodiscard]] double seconds_of_steps() const { return seconds_of_steps_; }

 private:
  /// The memory of one thread.
  struct Worker {
    model::Network network;
    Source source;
    num::Matrix dscores;  ///< for the longest sequence
  };

  /// The sums beside gradients.
  struct Sums {
    double loss = 0.0;
    model::Tally tally;
  };

  /// A part of a batch and its sums.
  struct Part {
    parts::Values gradient;
    Sums sums;
  };

  Trainer(const model::Config& config,
          const Settings& settings,
          const Dataset& data,
          int examples,
          SharedExamples* shared,
          int threads,
          const std::optional<Start>& start);
  void make_workers();
  void draw_together(parts::Values& values) const;
  Sums add_up_parts(bool stop);
  bool batch_step(const std::vector<int>& order, bool stop, StepReport& report);
  void run_part(Worker& worker,
                Part& part,
                std::span<const int> order,
                Share positions,
                int epoch) const;
  [[nodiscard]] bool is_best(const Evaluation& held_out) const;
  bool end_epoch(const Hooks& hooks, StepReport report);  ///< false: not finite
  [[nodiscard]] std::vector<int> order_of(int epoch) const;
  [[nodiscard]] const parts::Values& current() const;
  [[nodiscard]] model::Model model_of(const parts::Values& values) const;
  [[nodiscard]] attention::SolverSettings solver(double tolerance, int max_nodes) const;
  [[nodiscard]] attention::Stage stage() const;

  model::Config result_;  // of the result
  model::Config config_;  // of the training
  Settings settings_;
  const Dataset& data_;     // or the fetched examples
  SharedExamples* shared_;  // null: all examples are here
  int training_examples_;
  Batches batches_;
  Share own_parts_;
  int threads_;
  parts::Layout layout_;
  State state_;
  parts::Weights weights_;
  std::optional<model::GroupMeans> group_means_;  // of heads that will share
  int mixing_ = 0;
  double seconds_of_steps_ = 0.0;
  std::vector<Worker> workers_;  // empty before it trains, like parts_
  std::vector<Part> parts_;      // of this rank
  bool stop_agreed_ = false;     // some rank has asked to stop
};

}  // namespace oa::train
