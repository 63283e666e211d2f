#include "app/train_models.h"

#include "app/ranks.h"
#include "oa/base/number.h"
#include "oa/io/tensor/model_io.h"

#include <optional>

namespace oa::app {
namespace {

class ModelTraining {
 public:
  /// Keeps references to its arguments; `ranks` may be null.
  ModelTraining(const TrainRequest& request,
                const Common& common,
                Context& context,
                train::Ranks* ranks)
      : request_(request),
        common_(common),
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
    // Opens all outputs before the training, which may take an hour, so that it is not
    // lost.
    for (const std::int64_t seed : request_.seeds) {
      if (ranks_ == nullptr || ranks_->rank() == 0) {
        outputs_.emplace_back(request_.name_seeds ? with_seed(common_.output, seed)
                                                  : common_.output);
      }
    }
    TrainingData train = read(Split::Train);
    TrainingData test = request_.test ? read(Split::Test) : TrainingData{};
    if (!request_.initial.file.empty()) {
      initial_ = io::read_model_file(request_.initial.file);
    }
    recipe_ = request_.recipe(
        train.data, train.count, initial_ ? &initial_->config : nullptr);
    recipe_.training.seed = request_.seeds.front();
    classes_ = request_.classes();
    if (request_.test) {
      check_test_data(recipe_.model, test);
    }
    training_.emplace(request_.files,
                      std::move(train),
                      std::move(test),
                      common_.threads,
                      context_,
                      ranks_);
  }

  [[nodiscard]] TrainingData read(Split split) const {
    return read_training_data(ranks_, split, [&](const Selection& selection) {
      return request_.read(split, selection);
    });
  }

  void begin() { training_->begin(recipe_, request_.initial, initial_); }

  /// A status if the ranks disagree.
  [[nodiscard]] std::optional<Exit> prepare_ranks() {
    const auto refused = agree(*ranks_, [&] {
      prepare();
      auto common = training_->in_common(recipe_);
      for (const std::int64_t seed : request_.seeds) {
        common["seeds"] += format(seed) + " ";
      }
      if (initial_) {  // from here on what fails on one rank fails on all
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
    for (std::size_t k = 0; k < request_.seeds.size(); ++k) {
      recipe_.training.seed = request_.seeds[k];
      const auto trained = training_->run(recipe_, request_.name_seeds);
      if (!trained) {
        return context_.status(false);
      }
      if (!outputs_.empty()) {
        write(*trained, outputs_[k]);
      }
    }
    if (!outputs_.empty()) {
      context_.summarise(
          common_,
          common_.json ? training_->summary_json() : training_->summary_text());
    }
    return Exit::Ok;
  }

  void write(const Training::Trained& trained, io::Output& output) const {
    io::Metadata metadata = trained.metadata;
    if (!classes_.empty()) {
      metadata["oa.train.classes"] = classes_;
    }
    io::write_model(output, trained.model, metadata);
    output.commit();
  }

  const TrainRequest& request_;
  const Common& common_;
  Context& context_;
  train::Ranks* ranks_;
  std::vector<io::Output> outputs_;  // of rank 0, one for each seed
  std::optional<model::Model> initial_;
  train::Recipe recipe_;
  std::string classes_;
  std::optional<Training> training_;
};

}  // namespace

Exit train_models(const TrainRequest& request, const Common& common, Context& context) {
  const auto ranks = join_ranks(context);
  return ModelTraining(request, common, context, ranks.get()).run();
}

}  // namespace oa::app
