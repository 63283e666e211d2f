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
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace oa::train {

/// What happened since the last report.
struct StepReport {
  int epoch = 0;          ///< from 1
  std::int64_t step = 0;  ///< steps made in all
  double loss = 0.0;      ///< mean over the epoch so far
  double accuracy = 0.0;
  double rate = 0.0;
  double gradient_norm = 0.0;  ///< of the last step
  /// Seconds since run() began in which this rank waited for others; none: it is alone.
  std::optional<double> waited;
};

struct EpochReport {
  StepReport training;
  Evaluation held_out;
  bool best = false;  ///< the best epoch so far
};

/// What the trainer calls, on the calling thread; any may be empty.
struct Hooks {
  std::function<void(const StepReport&)> step;  ///< every `step_interval` steps
  std::function<void(const EpochReport&, const model::Model&)> epoch;
  std::function<void(const State&)> checkpoint;  ///< at epochs' ends and on a stop
  int step_interval = 100;
};

/// What a training begins with instead of drawn parameters.
struct Start {
  model::Model model;
  /// Steps in which heads of this model come to share keys and values, as the trained
  /// configuration says: its own is that of model::before_sharing().  Step s (from 0)
  /// draws them together by s / mixing.  0: it has the trained configuration.
  int mixing = 0;
};

enum class TrainingEnd { Finished, Interrupted, Diverged };

/// Trains one model.  The same settings, data and seed give the same bits, whatever the
/// number of threads and of ranks, and wherever it was interrupted and resumed: a batch
/// is cut into parts that do not depend on them, their gradients are summed in order,
/// and every random choice is a function of seed, epoch and example.
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

  /// The same by several processes, which all make the same calls and get the same
  /// state. Keeps a reference to `examples`.  There are at most settings.parts ranks.
  Trainer(const model::Config& config,
          const Settings& settings,
          SharedExamples& examples,
          int threads,
          const std::optional<Start>& start = {});

  [[nodiscard]] const State& state() const { return state_; }
  /// Goes on from a checkpoint of the same configuration, settings and data.
  void resume(State state) { state_ = std::move(state); }

  /// Until the last epoch, a stop request on any rank (the batch at hand is finished)
  /// or a loss that is not finite; the state is then that before the bad step.
  [[nodiscard]] TrainingEnd run(const Hooks& hooks,
                                const std::stop_token& stop = {},
                                Progress* progress = nullptr);

  /// The model of the best epoch; before the first epoch's end, the current one.
  [[nodiscard]] model::Model best() const;

  [[nodiscard]] std::int64_t steps_per_epoch() const { return batches_.steps(); }
  [[nodiscard]] std::int64_t total_steps() const {
    return steps_per_epoch() * settings_.epochs;
  }
  /// Of the state.
  [[nodiscard]] const parts::Layout& layout() const { return layout_; }
  [[nodiscard]] int training_examples() const { return training_examples_; }
  /// Time that the steps of run() took, without the evaluations after epochs.
  [[nodiscard]] double seconds_of_steps() const { return seconds_of_steps_; }

 private:
  /// What one thread works with.
  struct Worker {
    model::Network network;
    Source source;
    num::Matrix dscores;  ///< for the longest sequence
  };

  /// What is summed beside gradients.
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
  [[nodiscard]] attention::SolverSettings solver(double tolerance) const;
  [[nodiscard]] attention::Stage stage() const;

  model::Config result_;  // what comes out
  model::Config config_;  // what is trained
  Settings settings_;
  const Dataset& data_;     // or what was fetched
  SharedExamples* shared_;  // none: all examples are here
  int training_examples_;
  Batches batches_;
  Share own_parts_;
  int threads_;
  parts::Layout layout_;
  State state_;
  parts::Weights weights_;
  std::optional<model::GroupMeans> group_means_;  // of heads that come to share
  int mixing_ = 0;
  double seconds_of_steps_ = 0.0;
  std::vector<Worker> workers_;  // none before it trains, nor parts
  std::vector<Part> parts_;      // of this rank
  bool stop_agreed_ = false;     // a rank has asked for it
};

}  // namespace oa::train
