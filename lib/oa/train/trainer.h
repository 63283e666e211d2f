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
  std::int64_t step = 0;  ///< number of all steps so far
  double loss = 0.0;      ///< mean over the current epoch so far
  double accuracy = 0.0;
  double rate = 0.0;
  double gradient_norm = 0.0;  ///< norm of the last step's gradient
  /// Seconds since the start of run() in which this rank waited for other ranks; empty
  /// for a single process.
  std::optional<double> waited;
};

struct EpochReport {
  StepReport training;
  Evaluation held_out;
  bool best = false;  ///< this is the best epoch so far
};

/// Callbacks of the trainer on the calling thread; any may be empty.
struct Hooks {
  std::function<void(const StepReport&)> step;  ///< after each `step_interval` steps
  std::function<void(const EpochReport&, const model::Model&)> epoch;
  std::function<void(const State&)> checkpoint;  ///< after epochs and at a stop
  int step_interval = 100;
};

/// The start of a training from a model.
struct Start {
  model::Model model;
  /// In this number of steps, heads of the model move to shared keys and values, as in
  /// the trained configuration; `model` has the configuration model::before_sharing().
  /// Step s (from 0) mixes heads by s / mixing.
  /// 0: `model` has the trained configuration.
  int mixing = 0;
};

enum class TrainingEnd { Finished, Interrupted, Diverged };

/// Trains one model.  Each bit of the result depends only on settings, data and seed,
/// not on threads, ranks or interruptions: batches are fixed,
/// sums run in order, and random choices are functions of seed, epoch and example.
class Trainer {
 public:
  /// Keeps a reference to `data`, which has labels or targets.
  /// The last settings.held_out examples are not trained on.
  /// Throws InputError if no examples would remain.
  Trainer(const model::Config& config,
          const Settings& settings,
          const Dataset& data,
          int threads,
          const std::optional<Start>& start = {});

  /// For several processes, all of which make equal calls and get equal states.
  /// Keeps a reference to `examples`.  Allows at most settings.parts ranks.
  Trainer(const model::Config& config,
          const Settings& settings,
          SharedExamples& examples,
          int threads,
          const std::optional<Start>& start = {});

  [[nodiscard]] const State& state() const { return state_; }
  /// Continues from a checkpoint with equal configuration, settings and data.
  void resume(State state) { state_ = std::move(state); }

  /// Runs until the last epoch, a stop request on any rank (after the current batch),
  /// or an infinite or NaN loss, after which the state is that before the failed step.
  [[nodiscard]] TrainingEnd run(const Hooks& hooks,
                                const std::stop_token& stop = {},
                                Progress* progress = nullptr);

  /// The model of the best epoch, or the current model before the first epoch's end.
  [[nodiscard]] model::Model best() const;

  [[nodiscard]] std::int64_t steps_per_epoch() const { return batches_.steps(); }
  [[nodiscard]] std::int64_t total_steps() const {
    return steps_per_epoch() * settings_.epochs;
  }
  /// The layout of the state's values.
  [[nodiscard]] const parts::Layout& layout() const { return layout_; }
  [[nodiscard]] int training_examples() const { return training_examples_; }
  /// Seconds of all steps in run(), without evaluations.
  [[nodiscard]] double seconds_of_steps() const { return seconds_of_steps_; }

 private:
  /// Memory of one thread.
  struct Worker {
    model::Network network;
    Source source;
    num::Matrix dscores;  ///< sized for the longest sequence
  };

  /// Sums besides gradients.
  struct Sums {
    double loss = 0.0;
    model::Tally tally;
  };

  /// A part of a batch, with its sums.
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

  model::Config result_;  // configuration of the result
  model::Config config_;  // configuration in training
  Settings settings_;
  const Dataset& data_;     // all examples, or the fetched ones
  SharedExamples* shared_;  // null: this process has all examples
  int training_examples_;
  Batches batches_;
  Share own_parts_;
  int threads_;
  parts::Layout layout_;
  State state_;
  parts::Weights weights_;
  std::optional<model::GroupMeans> group_means_;  // for heads that will share keys
  int mixing_ = 0;
  double seconds_of_steps_ = 0.0;
  std::vector<Worker> workers_;  // empty before the first step, like parts_
  std::vector<Part> parts_;      // parts of this rank
  bool stop_agreed_ = false;     // a rank has requested a stop
};

}  // namespace oa::train
