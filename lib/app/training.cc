#include "app/training.h"

#include "app/images.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/base/version.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/report/training_report.h"
#include "oa/train/calibrate.h"
#include "oa/train/exact_forward.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <unistd.h>

namespace oa::app {
namespace {

constexpr const char* kEpochs = "oa.train.epochs";

struct Spread {
  double mean = 0.0;
  double deviation = 0.0;
};

Spread spread(const std::vector<double>& values) {
  Spread s;
  for (const double v : values) {
    s.mean += v / static_cast<double>(values.size());
  }
  for (const double v : values) {
    s.deviation += (v - s.mean) * (v - s.mean);
  }
  const auto others = static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
  s.deviation = std::sqrt(s.deviation / others);
  return s;
}

/// Of a checkpoint and the training that goes on from it.
void check_same(const io::Metadata& there,
                const io::Metadata& here,
                const std::string& where) {
  const auto compare = [&](const std::string& key) {
    const auto text_in = [&](const io::Metadata& all) {
      const auto found = all.find(key);
      return found == all.end() ? "missing" : found->second;
    };
    if (text_in(there) != text_in(here)) {
      throw InputError(where + ": " + key + " is " + text_in(there) +
                       " (this training has " + text_in(here) + ")");
    }
  };
  for (const auto& [key, value] : here) {
    compare(key);
  }
  for (const char* key : {"oa.train.init", "oa.train.convert", "oa.train.mixing"}) {
    compare(key);  // which only the checkpoint may have
  }
}

}  // namespace

std::string with_seed(const std::string& path, std::int64_t seed) {
  const auto slash = path.rfind('/');
  const auto dot = path.rfind('.');
  const bool suffix = dot != path.npos && (slash == path.npos || dot > slash + 1);
  const auto at = suffix ? dot : path.size();
  return path.substr(0, at) + "." + format(seed) + path.substr(at);
}

void check_test_data(const model::Config& config, const TrainingData& test) {
  if (test.count == 0) {
    throw InputError("--test: there are no test examples (name them)");
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
                   int threads,
                   Context& context,
                   train::Ranks* ranks)
    : files_(files),
      train_(std::move(train)),
      test_(std::move(test)),
      threads_(threads),
      context_(context),
      ranks_(ranks) {
  if (!leads()) {
    files_.logs = {};
    files_.checkpoint.clear();
  }
  if (!files_.resume.empty() && ::access(files_.resume.c_str(), F_OK) != 0 &&
      errno == ENOENT) {
    note("oa-train: " + printable(files_.resume) +
         " is not there yet: the training begins anew\n");
    files_.resume.clear();
  }
}

void Training::note(const std::string& line) {
  if (files_.lines && leads()) {
    context_.say(line);
  }
}

double Training::seconds() const {
  const std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin_;
  return passed.count();
}

/// What must be the same for a training to go on, and what a model file says of it.
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
    const auto said = [&](const char* name) {
      const auto found = there.find(name);
      return found == there.end() ? "" : found->second;
    };
    all["checkpoint"] = "step " + said("oa.state.step") + ", accuracy " +
                        said("oa.state.best_accuracy");
  }
  if (ranks_ != nullptr && ranks_->count() > recipe.training.parts) {
    throw UsageError(format(ranks_->count()) + " ranks (expected at most " +
                     format(recipe.training.parts) +
                     ", the parts that --parts cuts a batch into)");
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
  log_.emplace(files_.logs, !files_.resume.empty());
  if (!files_.checkpoint.empty()) {
    const io::Output can_be_written(files_.checkpoint);  // and is not, yet
  }
}

InitialData Training::initial_data(const train::Recipe& recipe) {
  return {
      .like = shared_ ? shared_->fetched() : train_.data,
      .training = train_.count - recipe.training.held_out,
      .moments =
          [&](const model::Model& model, int examples) {
            return shared_
                       ? train::input_moments(
                             model, shared_->beginning(examples), examples, threads_)
                       : train::input_moments(model, train_.data, examples, threads_);
          },
      .evaluate =
          [&](const model::Model& model) {
            return recipe.training.held_out > 0 ? evaluate_held_out(recipe, {}, model)
                                                : evaluate_test(recipe, {}, model);
          }};
}

train::Trainer Training::trainer_for(const train::Recipe& recipe) {
  const auto start = initial_ ? std::optional(initial_->start) : std::nullopt;
  return shared_
             ? train::Trainer(recipe.model, recipe.training, *shared_, threads_, start)
             : train::Trainer(
                   recipe.model, recipe.training, train_.data, threads_, start);
}

train::Evaluation Training::evaluate_held_out(const train::Recipe& recipe,
                                              const attention::SolverSettings& solver,
                                              const model::Model& model) {
  const train::LossSettings loss = train::evaluation_loss(recipe.training);
  return shared_ ? train::evaluate(
                       *ranks_, model, solver, loss, shared_->held_out(), threads_)
                 : train::evaluate(model,
                                   solver,
                                   loss,
                                   train_.data,
                                   train_.count - recipe.training.held_out,
                                   train_.count,
                                   threads_);
}

train::Evaluation Training::evaluate_test(const train::Recipe& recipe,
                                          const attention::SolverSettings& solver,
                                          const model::Model& model) {
  const train::LossSettings loss = train::evaluation_loss(recipe.training);
  return shared_ ? train::evaluate(*ranks_, model, solver, loss, test_.data, threads_)
                 : train::evaluate(
                       model, solver, loss, test_.data, 0, test_.count, threads_);
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
         ": rates from here on are those of the longer training\n");
    expected[kEpochs] = planned->second;
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

std::optional<Training::Trained> Training::run(const train::Recipe& recipe,
                                               bool of_many) {
  const std::int64_t seed = recipe.training.seed;
  const io::Metadata identity = identity_of(recipe);
  train::Trainer trainer = trainer_for(recipe);
  if (!files_.resume.empty()) {
    resume(recipe, trainer);
  }
  const std::int64_t steps_before = trainer.state().step;
  begin_ = std::chrono::steady_clock::now();
  log_->begin(seed, of_many);
  if (initial_) {
    log_->initial(*initial_);
  }

  attention::SolverSettings test_solver;
  if (recipe.training.exact) {
    test_solver.optima = train::exact_optima();
  }
  std::optional<train::Evaluation> test;
  train::Hooks hooks;
  hooks.step = [&](const train::StepReport& report) { log_->step(report, seconds()); };
  hooks.epoch = [&](const train::EpochReport& report, const model::Model& model) {
    std::optional<train::Evaluation> now;
    if (test_.count > 0) {
      now = evaluate_test(recipe, test_solver, model);
    }
    if (report.best) {
      test = now;
    }
    const train::Evaluation* tested = now ? &*now : nullptr;
    log_->epoch(report, tested, seconds());
    note((of_many ? "seed " + format(seed) + ": " : "") +
         report::epoch_text(report, tested, recipe.training.epochs, seconds()) + "\n");
  };
  if (!files_.checkpoint.empty()) {
    const std::string path =
        of_many ? with_seed(files_.checkpoint, seed) : files_.checkpoint;
    hooks.checkpoint = [&, path](const train::State& state) {
      std::map<std::string, const parts::Values*> sets;
      train::each_values(state, [&](const char* name, const parts::Values& values) {
        sets[name] = &values;
      });
      io::Metadata metadata = train::describe(state);
      metadata.insert(identity.begin(), identity.end());
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
  if (end == train::TrainingEnd::Diverged && leads()) {
    context_.warn("the loss is not finite in step " + format(trainer.state().step + 1) +
                  " (a lower --lr or --clip may help); no model is written" +
                  (files_.checkpoint.empty() ? "" : ", the last checkpoint is kept"));
  }
  if (end != train::TrainingEnd::Finished) {
    return std::nullopt;
  }
  Result result;
  result.seed = seed;
  Trained trained{trainer.best(), identity};
  result.parameters = trained.model.layout.parameter_count();
  result.best_epoch = trainer.state().best_epoch;
  result.validation = trainer.state().best_epoch == 0 && initial_
                          ? initial_->accuracy()
                          : trainer.state().best_accuracy;
  result.seconds = seconds();
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
  if (test_.count > 0) {
    // After a resumption the best epoch may lie before it.
    if (!test) {
      test = evaluate_test(recipe, test_solver, trained.model);
    }
    result.test = test->accuracy();
    trained.metadata["oa.train.test_accuracy"] = format(*result.test);
  }
  trained.metadata["oa.train.best_epoch"] = format(result.best_epoch);
  trained.metadata["oa.train.validation_accuracy"] = format(result.validation);
  results_.push_back(result);
  return trained;
}

std::string Training::summary_text() const {
  std::string text = initial_ ? initial_->text() : "";
  std::vector<double> validation;
  std::vector<double> test;
  for (const Result& r : results_) {
    text += "seed " + format(r.seed) + ": " + format_grouped(r.parameters) +
            " parameters, epoch " + format(r.best_epoch) + " the best, validation " +
            percent(r.validation) + (r.test ? ", test " + percent(*r.test) : "") +
            ", " + format_fixed(r.seconds, 0) + " s, " +
            format_grouped(std::llround(r.images_per_second)) +
            (r.pictures ? " images/s" : " examples/s") +
            (r.waited ? ", " + format_fixed(100.0 * *r.waited / r.seconds, 1) +
                            " % of the time rank 0 of " + format(ranks_->count()) +
                            " waited for others"
                      : "") +
            "\n";
    validation.push_back(r.validation);
    if (r.test) {
      test.push_back(*r.test);
    }
  }
  if (results_.size() > 1) {
    const auto line = [](const char* what, const Spread& s) {
      return std::string(what) + " " + percent(s.mean) + " +- " +
             format_fixed(100.0 * s.deviation, 2);
    };
    text += "mean of " + format(static_cast<std::int64_t>(results_.size())) + ": " +
            line("validation", spread(validation)) +
            (test.empty() ? "" : ", " + line("test", spread(test))) + "\n";
  }
  return text;
}

std::string Training::summary_json() const {
  JsonArray models;
  for (const Result& r : results_) {
    JsonObject one{{"seed", r.seed},
                   {"parameters", r.parameters},
                   {"best_epoch", r.best_epoch},
                   {"validation_accuracy", JsonValue::shortest(r.validation)}};
    if (r.test) {
      one.member("test_accuracy", JsonValue::shortest(*r.test));
    }
    one.members({{"seconds", JsonValue::shortest(r.seconds)},
                 {"images_per_second", JsonValue::shortest(r.images_per_second)}});
    if (r.waited) {
      one.members({{"ranks", ranks_->count()},
                   {"waited_seconds", JsonValue::shortest(*r.waited)}});
    }
    models.element(one);
  }
  JsonObject all;
  if (initial_) {
    all.members(initial_->json());
  }
  return all.member("models", models).text() + "\n";
}

}  // namespace oa::app
