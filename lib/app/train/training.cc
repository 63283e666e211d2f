#include "app/train/training.h"

#include "app/images.h"
#include "app/train/chance.h"
#include "app/train/recipe.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/base/version.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/report/training_report.h"
#include "oa/train/calibrate.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>

#include <unistd.h>

namespace oa::app {
namespace {

constexpr const char* kEpochs = "oa.train.epochs";
constexpr const char* kWarmup = "oa.train.warmup";

/// Throws InputError if a checkpoint differs from the training that resumes it.
void check_same(const io::Metadata& there,
                const io::Metadata& here,
                const std::string& where) {
  const auto compare = [&](const std::string& key) {
    const auto text_in = [&](const io::Metadata& all) {
      const auto found = all.find(key);
      return found == all.end() ? "missing" : found->second;
    };
    if (text_in(there) != text_in(here)) {
      throw InputError(where + ": " + setting_of(key) + " is " + text_in(there) +
                       " (this training has " + text_in(here) +
                       "; to change options, begin with --init and a model)");
    }
  };
  for (const auto& [key, value] : here) {
    compare(key);
  }
  for (const char* key : {"oa.train.init", "oa.train.convert", "oa.train.mixing"}) {
    compare(key);  // also keys that only the checkpoint has
  }
}

}  // namespace

std::string TrainingFiles::checkpoint_of(std::int64_t seed, bool of_many) const {
  return of_many && !checkpoint.empty() ? with_seed(checkpoint, seed) : checkpoint;
}

std::string with_seed(const std::string& path, std::int64_t seed) {
  const auto slash = path.rfind('/');
  const auto dot = path.rfind('.');
  const bool suffix = dot != path.npos && (slash == path.npos || dot > slash + 1);
  const auto at = suffix ? dot : path.size();
  return path.substr(0, at) + "." + format(seed) + path.substr(at);
}

void add_result(int best_epoch, std::optional<double> validation, io::Metadata& to) {
  to["oa.train.best_epoch"] = format(best_epoch);
  if (validation) {
    to["oa.train.validation_accuracy"] = format(*validation);
  }
}

std::optional<double> best_accuracy(const train::State& state) {
  return state.best_accuracy < 0.0 ? std::nullopt : std::optional(state.best_accuracy);
}

void check_test_data(const model::Config& config, const TrainingData& test) {
  if (test.count == 0) {
    throw InputError("there are no test examples (name them)");
  }
  check_examples(config, test.data, "test data");
  if (config.objective != Objective::Class) {
    return;
  }
  const int largest = test.data.targets.classes - 1;
  if (largest >= config.classes) {
    throw InputError("test label " + format(largest) + " (training labels end at " +
                     format(config.classes - 1) + ")");
  }
}

Training::Training(const TrainingFiles& files,
                   TrainingData train,
                   TrainingData test,
                   Context& context,
                   train::Ranks* ranks)
    : files_(files),
      train_(std::move(train)),
      test_(std::move(test)),
      context_(context),
      ranks_(ranks) {
  summary_.ranks = ranks_ != nullptr ? ranks_->count() : 1;
  if (!leads()) {
    files_.logs = {};
    files_.checkpoint.clear();
  }
  if (!files_.resume.empty() && ::access(files_.resume.c_str(), F_OK) != 0 &&
      errno == ENOENT) {
    note("oa-train: " + printable(files_.resume) +
         " does not exist: the training starts from the beginning\n");
    files_.resume.clear();
  }
}

void Training::note(const std::string& line) {
  if (files_.lines && leads()) {
    context_.say(line);
  }
}

/// Facts that must agree when a training is resumed; model files also have them.
io::Metadata Training::identity_of(const train::Recipe& recipe) const {
  io::Metadata all = model::describe(recipe.model);
  all.merge(train::describe(recipe.training));
  all["oa.train.images"] = format(train_.count);
  all["oa.train.data"] = train_.fingerprint;
  if (initial_) {
    all.insert(initial_->identity.begin(), initial_->identity.end());
  }
  return all;
}

std::map<std::string, std::string> Training::in_common(
    const train::Recipe& recipe) const {
  std::map<std::string, std::string> all = identity_of(recipe);
  all["version"] = kVersion;
  all["test data"] = test_.fingerprint;
  if (!files_.resume.empty()) {
    const io::Checkpoint checkpoint = io::read_checkpoint(files_.resume);
    const io::Metadata& there = checkpoint.metadata();
    const auto value_of = [&](const char* name) {
      const auto found = there.find(name);
      return found == there.end() ? "" : found->second;
    };
    all["checkpoint"] = "step " + value_of("oa.state.step") + ", accuracy " +
                        value_of("oa.state.best_accuracy");
  }
  if (ranks_ != nullptr && ranks_->count() > recipe.training.parts) {
    throw UsageError(format(ranks_->count()) + " ranks (expected at most " +
                     format(recipe.training.parts) + ", the number of parts)");
  }
  return all;
}

void Training::begin(const train::Recipe& recipe,
                     const InitialOptions& options,
                     const std::optional<model::Model>& initial) {
  if (ranks_ != nullptr) {
    shared_.emplace(
        *ranks_, std::move(train_.data), train_.count, recipe.training.held_out);
  }
  if (initial) {
    initial_ = prepare(options, *initial, recipe, initial_data(recipe));
  }
  held_out_classes_ = count_held_out(recipe);
  log_.emplace(files_.logs, !files_.resume.empty());
  if (!files_.checkpoint.empty()) {
    const io::Output can_be_written(files_.checkpoint);  // fails now if it cannot
  }
}

InitialData Training::initial_data(const train::Recipe& recipe) {
  return {.like = shared_ ? shared_->fetched() : train_.data,
          .training = train_.count - recipe.training.held_out,
          .moments =
              [&](const model::Model& model, int examples) {
                return shared_ ? train::input_moments(model,
                                                      shared_->beginning(examples),
                                                      examples,
                                                      context_.threads())
                               : train::input_moments(
                                     model, train_.data, examples, context_.threads());
              },
          .evaluate =
              [&](const model::Model& model) {
                return recipe.training.held_out > 0 ? evaluate_held_out(recipe, model)
                                                    : evaluate_test(recipe, model);
              }};
}

train::Trainer Training::trainer_for(const train::Recipe& recipe) {
  const auto start = initial_ ? std::optional(initial_->start) : std::nullopt;
  return shared_
             ? train::Trainer(
                   recipe.model, recipe.training, *shared_, context_.threads(), start)
             : train::Trainer(recipe.model,
                              recipe.training,
                              train_.data,
                              context_.threads(),
                              start);
}

train::Evaluation Training::evaluate_held_out(const train::Recipe& recipe,
                                              const model::Model& model) {
  const train::LossSettings loss = train::evaluation_loss(recipe.training);
  const attention::SolverSettings solver = solver_of(recipe.training.exact);
  return shared_ ? train::evaluate(*ranks_,
                                   model,
                                   solver,
                                   loss,
                                   shared_->held_out(),
                                   context_.threads())
                 : train::evaluate(model,
                                   solver,
                                   loss,
                                   train_.data,
                                   train_.count - recipe.training.held_out,
                                   train_.count,
                                   context_.threads());
}

train::Evaluation Training::evaluate_test(const train::Recipe& recipe,
                                          const model::Model& model) {
  const train::LossSettings loss = train::evaluation_loss(recipe.training);
  const attention::SolverSettings solver = solver_of(recipe.training.exact);
  return shared_
             ? train::evaluate(
                   *ranks_, model, solver, loss, test_.data, context_.threads())
             : train::evaluate(
                   model, solver, loss, test_.data, 0, test_.count, context_.threads());
}

/// Counts the held-out examples of each class.
std::vector<std::int64_t> Training::count_held_out(const train::Recipe& recipe) {
  if (recipe.model.objective != Objective::Class) {
    return {};
  }
  std::vector<std::int64_t> counts(static_cast<std::size_t>(recipe.model.classes));
  const auto& all = train_.data.labels;
  const auto held_out = static_cast<std::size_t>(recipe.training.held_out);
  for (const std::uint8_t label :
       shared_ ? std::span(shared_->held_out().labels)
               : std::span(all).last(std::min(held_out, all.size()))) {
    ++counts[label];
  }
  if (ranks_ == nullptr) {
    return counts;
  }
  const auto own = std::as_bytes(std::span(counts));
  std::vector<std::int64_t> sums(counts.size());
  for (const train::Bytes& bytes : train::gather(*ranks_, {own.begin(), own.end()})) {
    std::memcpy(counts.data(), bytes.data(), std::min(bytes.size(), own.size()));
    std::ranges::transform(sums, counts, sums.begin(), std::plus());
  }
  return sums;
}

void Training::warn_of_chance(const TrainedResult& result) {
  const auto held_out = static_cast<double>(std::accumulate(
      held_out_classes_.begin(), held_out_classes_.end(), std::int64_t{0}));
  const std::string warning = chance_warning(
      std::llround(result.validation.value_or(0.0) * held_out), held_out_classes_);
  if (!warning.empty()) {
    warn(warning);
  }
}

void Training::warn(const std::string& text) {
  summary_.warnings.push_back(text);
  context_.warn(text);
}

std::string Training::why(train::TrainingEnd end, const train::Trainer& trainer) {
  const std::int64_t step = trainer.state().step;
  switch (end) {
    case train::TrainingEnd::Interrupted:
      return "interrupted in epoch " + format(step / trainer.steps_per_epoch() + 1) +
             " of " + format(trainer.total_steps() / trainer.steps_per_epoch());
    case train::TrainingEnd::Diverged:
      return "the loss is not finite in step " + format(step + 1) +
             " (a lower learning rate or clip may help)";
    case train::TrainingEnd::Finished: break;
  }
  return {};
}

void Training::resume(const train::Recipe& recipe, train::Trainer& trainer) {
  const io::Checkpoint checkpoint = io::read_checkpoint(files_.resume);
  io::Metadata expected = identity_of(recipe);
  const auto planned = checkpoint.metadata().find(kEpochs);
  const auto epochs = planned == checkpoint.metadata().end()
                          ? std::nullopt
                          : parse_int(planned->second);
  if (epochs && *epochs > 0 && *epochs < recipe.training.epochs) {
    note("oa-train: " + printable(files_.resume) + ": planned for " +
         counted(*epochs, "epoch") + ", now for " + format(recipe.training.epochs) +
         ": learning rates follow the longer training from here\n");
    expected[kEpochs] = planned->second;
    // The warm-up of a recipe for few pictures depends on the number of epochs.
    if (const auto warmup = checkpoint.metadata().find(kWarmup);
        warmup != checkpoint.metadata().end()) {
      expected[kWarmup] = warmup->second;
    }
  }
  check_same(checkpoint.metadata(), expected, files_.resume);
  const parts::Layout& layout = trainer.layout();
  train::State state(layout);
  train::restore(checkpoint.metadata(), files_.resume, state);
  train::each_values(state, [&](const char* name, parts::Values& values) {
    values = checkpoint.set(name, layout);
  });
  if (state.step < 0 || state.step > trainer.total_steps()) {
    throw InputError(files_.resume + ": oa.state.step is out of range");
  }
  trainer.resume(std::move(state));
}

Training::Outcome Training::run(const train::Recipe& recipe, bool of_many) {
  const std::int64_t seed = recipe.training.seed;
  const io::Metadata identity = identity_of(recipe);
  train::Trainer trainer = trainer_for(recipe);
  if (!files_.resume.empty()) {
    resume(recipe, trainer);
  }
  const std::int64_t steps_before = trainer.state().step;
  since_begin_ = Stopwatch();
  log_->begin(seed, of_many);
  if (initial_) {
    log_->initial(*initial_);
  }

  std::optional<train::Evaluation> test;
  train::Hooks hooks;
  hooks.step = [&](const train::StepReport& report) {
    log_->step(report, since_begin_.seconds());
  };
  hooks.epoch = [&](const train::EpochReport& report, const model::Model& model) {
    std::optional<train::Evaluation> now;
    if (test_.count > 0) {
      now = evaluate_test(recipe, model);
    }
    if (report.best) {
      test = now;
    }
    const train::Evaluation* tested = now ? &*now : nullptr;
    log_->epoch(report, tested, since_begin_.seconds());
    note((of_many ? "seed " + format(seed) + ": " : "") +
         report::epoch_text(
             report, tested, recipe.training.epochs, since_begin_.seconds()) +
         "\n");
  };
  if (!files_.checkpoint.empty()) {
    hooks.checkpoint =
        [&, path = files_.checkpoint_of(seed, of_many)](const train::State& state) {
          std::map<std::string, const parts::Values*> sets;
          train::each_values(state, [&](const char* name, const parts::Values& values) {
            sets[name] = &values;
          });
          io::Metadata metadata = train::describe(state);
          metadata.insert(identity.begin(), identity.end());
          metadata.insert(train_.notes.begin(), train_.notes.end());
          if (initial_ && initial_->start.mixing > 0) {
            metadata[kMixedAttention] = initial_->start.model.config.attention;
          }
          io::write_checkpoint(path, trainer.layout(), sets, metadata);
        };
  }
  const double waited_before = ranks_ != nullptr ? ranks_->waited() : 0.0;
  Progress* progress = leads() ? &context_.progress() : nullptr;
  if (progress != nullptr) {
    progress->start(of_many ? "seed " + format(seed) : "training",
                    (trainer.total_steps() - steps_before) * recipe.training.batch);
  }
  const train::TrainingEnd end = trainer.run(hooks, context_.token(), progress);
  if (progress != nullptr) {
    progress->finish();
  }
  Outcome outcome{end, why(end, trainer), {}};
  if (end != train::TrainingEnd::Finished) {
    summary_.complete = false;
    if (trainer.state().best_epoch == 0) {
      return outcome;
    }
  }
  TrainedResult result;
  result.seed = seed;
  Trained& trained = outcome.best.emplace(trainer.best(), identity);
  trained.metadata.insert(train_.notes.begin(), train_.notes.end());
  result.parameters = trained.model.layout.parameter_count();
  result.best_epoch = trainer.state().best_epoch;
  result.validation = trainer.state().best_epoch == 0 && initial_
                          ? initial_->accuracy()
                          : best_accuracy(trainer.state());
  result.seconds = since_begin_.seconds();
  result.pictures = !recipe.model.takes_sequences();
  if (trainer.seconds_of_steps() > 0.0) {
    result.images_per_second =
        static_cast<double>(trainer.state().step - steps_before) *
        static_cast<double>(trainer.training_examples()) /
        (static_cast<double>(trainer.steps_per_epoch()) * trainer.seconds_of_steps());
  }
  if (ranks_ != nullptr) {
    result.waited = ranks_->waited() - waited_before;
  }
  // Evaluates again if the best epoch was before the resumption.
  if (test_.count > 0 && !test && end == train::TrainingEnd::Finished) {
    test = evaluate_test(recipe, trained.model);
  }
  if (test) {
    result.test = test->accuracy();
    trained.metadata["oa.train.test_accuracy"] = format(*result.test);
  }
  add_result(result.best_epoch, result.validation, trained.metadata);
  summary_.models.push_back(result);
  if (leads() && end == train::TrainingEnd::Finished && result.best_epoch > 0) {
    warn_of_chance(result);
  }
  return outcome;
}

}  // namespace oa::app
