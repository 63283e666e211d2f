#include "app/train/models.h"

#include "app/train/ranks.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/model/convert.h"

#include <filesystem>
#include <optional>
#include <system_error>

namespace oa::app {
namespace {

class ModelTraining {
 public:
  /// Keeps references; `ranks` may be null.
  ModelTraining(const TrainRequest& request, Context& context, train::Ranks* ranks)
      : request_(request),
        context_(context),
        ranks_(ranks) {}

  Exit run() {
    if (ranks_ == nullptr) {
      prepare();
      begin();
    } else if (const auto refused = prepare_ranks()) {
      return *refused;
    }
    return train();
  }

 private:
  void prepare() {
    if (leads()) {
      keep_checkpoints();
    }
    // Opens outputs before the training, so that an error costs no hours of work.
    for (const std::int64_t seed : request_.seeds) {
      if (leads()) {
        outputs_.emplace_back(request_.name_seeds
                                  ? with_seed(context_.common().output, seed)
                                  : context_.common().output);
      }
    }
    TrainingData train = read(Split::Train);
    TrainingData test = request_.test ? read(Split::Test) : TrainingData{};
    if (!request_.initial.file.empty()) {
      initial_ = io::read_model_file(request_.initial.file);
    }
    recipe_ = request_.recipe(
        train.data, train.count, initial_ ? &initial_->config : nullptr);
    if (initial_ && initial_->config.inverted && !recipe_.model.inverted && leads()) {
      context_.warn(request_.initial.file +
                    " was trained on inverted pictures, these are not inverted");
    }
    recipe_.training.seed = request_.seeds.front();
    if (const std::string classes = request_.classes(); !classes.empty()) {
      train.notes["oa.train.classes"] = classes;
    }
    if (recipe_.training.epochs == 0 && !initial_) {
      throw UsageError(
          "epochs",
          " 0 needs init (a model that is not trained) or resume (the best "
          "model of a checkpoint)");
    }
    if (request_.test) {
      check_test_data(recipe_.model, test);
    }
    training_.emplace(
        request_.files, std::move(train), std::move(test), context_, ranks_);
  }

  [[nodiscard]] bool leads() const { return ranks_ == nullptr || ranks_->rank() == 0; }

  /// Throws InputError if a training would replace a checkpoint without resuming it.
  void keep_checkpoints() const {
    if (request_.files.checkpoint.empty()) {
      return;
    }
    for (const std::int64_t seed : request_.seeds) {
      const std::string path = request_.files.checkpoint_of(seed, request_.name_seeds);
      std::error_code error;
      const bool resumed =
          std::filesystem::equivalent(path, request_.files.resume, error);
      if (!resumed && io::is_checkpoint(path)) {
        throw InputError(path +
                         ": the checkpoint exists (resume it, or choose "
                         "another name)");
      }
    }
  }

  [[nodiscard]] TrainingData read(Split split) const {
    return read_training_data(ranks_, split, [&](const Selection& selection) {
      return request_.read(split, selection);
    });
  }

  void begin() { training_->begin(recipe_, request_.initial, initial_); }

  /// Compares preparations; returns a status if ranks differ.
  [[nodiscard]] std::optional<Exit> prepare_ranks() {
    const auto refused = agree(*ranks_, [&] {
      prepare();
      auto common = training_->in_common(recipe_);
      for (const std::int64_t seed : request_.seeds) {
        common["seeds"] += format(seed) + " ";
      }
      if (initial_) {  // from here on, a failing rank stops all ranks
        common.merge(identity_of(request_.initial, *initial_));
      }
      return common;
    });
    if (refused) {
      return refused;
    }
    return agree(*ranks_, [&] {
      begin();
      return training_->in_common(recipe_);
    });
  }

  [[nodiscard]] Exit train() {
    auto end = train::TrainingEnd::Finished;
    for (std::size_t k = 0; k < request_.seeds.size() && is_finished(end); ++k) {
      recipe_.training.seed = request_.seeds[k];
      const Training::Outcome outcome = training_->run(recipe_, request_.name_seeds);
      end = outcome.end;
      if (outputs_.empty()) {
        continue;
      }
      if (outcome.best) {
        write(*outcome.best, outputs_[k]);
      }
      if (!is_finished(end)) {
        training_->warn(early_end_text(outcome, k));
      }
    }
    if (!outputs_.empty()) {
      context_.summarise(context_.json() ? training_->summary_json()
                                         : training_->summary_text());
    }
    return is_finished(end)                         ? Exit::Ok
           : end == train::TrainingEnd::Interrupted ? Exit::Interrupted
                                                    : Exit::Negative;
  }

  static bool is_finished(train::TrainingEnd end) {
    return end == train::TrainingEnd::Finished;
  }

  static void write(const Training::Trained& trained, io::Output& output) {
    io::write_model(output, trained.model, trained.metadata);
    output.commit();
  }

  /// Explains why the training of seed k ended early, which files it left,
  /// and how to continue.
  [[nodiscard]] std::string early_end_text(const Training::Outcome& outcome,
                                           std::size_t k) const {
    const std::int64_t seed = request_.seeds[k];
    const std::string checkpoint =
        request_.files.checkpoint_of(seed, request_.name_seeds);
    std::string text = request_.name_seeds ? "seed " + format(seed) + ": " : "";
    text += outcome.why + "; ";
    text += outcome.best ? outputs_[k].name() + " has epoch " +
                               outcome.best->metadata.at("oa.train.best_epoch") +
                               ", the best so far"
                         : "no epoch has ended, so no model is written";
    if (!checkpoint.empty()) {
      text += outcome.end == train::TrainingEnd::Interrupted
                  ? "; resume " + checkpoint + " to continue"
                  : "; " + checkpoint + " is kept";
    }
    if (k + 1 < request_.seeds.size()) {
      text += "; later seeds are not trained";
    }
    return text;
  }

  const TrainRequest& request_;
  Context& context_;
  train::Ranks* ranks_;
  std::vector<io::Output> outputs_;  // one for each seed, only on rank 0
  std::optional<model::Model> initial_;
  train::Recipe recipe_;
  std::optional<Training> training_;
};

}  // namespace

Exit train_models(const TrainRequest& request, Context& context) {
  const auto ranks = join_ranks(context);
  return ModelTraining(request, context, ranks.get()).run();
}

namespace {

/// The parameters of the best epoch.  While heads are converted to shared keys,
/// the checkpoint has separate keys, and the result has shared keys.
model::Model best_values(const io::Checkpoint& checkpoint) {
  const std::string& path = checkpoint.where;
  const model::Config config = io::read_config(checkpoint.file, path);
  const auto mixed = checkpoint.metadata().find(kMixedAttention);
  const bool converts = mixed != checkpoint.metadata().end();
  model::Config trained = config;
  if (converts) {
    trained.attention = mixed->second;
  }
  model::Model model(trained);
  model.values = checkpoint.set("best", model.layout);
  return converts ? model::convert(model, config, model::Sharing::Mean, {}, path)
                  : model;
}

/// The checkpoint's metadata without the training state,
/// but with best epoch and accuracy.
io::Metadata notes_of(const io::Metadata& checkpoint, const train::State& state) {
  io::Metadata notes = checkpoint;
  std::erase_if(notes,
                [](const auto& note) { return note.first.starts_with("oa.state."); });
  add_result(state.best_epoch, best_accuracy(state), notes);
  return notes;
}

}  // namespace

Exit write_best_model(const std::string& path, Context& context) {
  const io::Input kept = io::Input::open(path);  // so that the model cannot replace it
  const io::Checkpoint checkpoint = io::read_checkpoint(path);
  const model::Model model = best_values(checkpoint);
  train::State state(model.layout);
  train::restore(checkpoint.metadata(), path, state);
  if (state.best_epoch == 0) {
    throw InputError(path + ": no epoch has ended, so there is no best model");
  }
  io::Output output(context.common().output);
  io::write_model(output, model, notes_of(checkpoint.metadata(), state));
  output.commit();
  const std::optional<double> accuracy = best_accuracy(state);
  std::string text = "epoch " + format(state.best_epoch) + " of " + path +
                     (accuracy ? ", validation " + percent(*accuracy) : "") + "\n";
  if (context.json()) {
    JsonObject all{{"best_epoch", state.best_epoch}};
    if (accuracy) {
      all.member("validation_accuracy", JsonValue::shortest(*accuracy));
    }
    text = all.text() + "\n";
  }
  context.summarise(text);
  return context.status(true);
}

}  // namespace oa::app
