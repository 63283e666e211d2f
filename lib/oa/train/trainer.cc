#include "oa/train/trainer.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/base/stopwatch.h"
#include "oa/data/augment.h"
#include "oa/num/rows.h"
#include "oa/train/exact_forward.h"
#include "oa/train/loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oa::train {
namespace {

// With a curriculum: share of the training without rounding, and first temperature.
constexpr double kRelaxedShare = 0.5;
constexpr float kFirstTemperature = 1.0F;

// Forks of the random stream.
constexpr std::uint64_t kInitial = 1;
constexpr std::uint64_t kOrder = 2;
constexpr std::uint64_t kWarp = 3;
constexpr std::uint64_t kNoise = 4;

num::View flat(parts::Values& values) {
  const auto all = values.flat();
  const int size = static_cast<int>(all.size());
  return {all.data(), 1, size, size};
}

double norm(std::span<const float> values) {
  double sum = 0.0;
  for (const float v : values) {
    sum += static_cast<double>(v) * static_cast<double>(v);
  }
  return std::sqrt(sum);
}

}  // namespace

Trainer::Trainer(const model::Config& config,
                 const Settings& settings,
                 const Dataset& data,
                 int threads,
                 const std::optional<Start>& start)
    : Trainer(config, settings, data, data.count(), nullptr, threads, start) {}

Trainer::Trainer(const model::Config& config,
                 const Settings& settings,
                 SharedExamples& examples,
                 int threads,
                 const std::optional<Start>& start)
    : Trainer(config,
              settings,
              examples.fetched(),
              examples.count(),
              &examples,
              threads,
              start) {}

Trainer::Trainer(const model::Config& config,
                 const Settings& settings,
                 const Dataset& data,
                 int examples,
                 SharedExamples* shared,
                 int threads,
                 const std::optional<Start>& start)
    : result_(config),
      config_(start ? start->model.config : config),
      settings_(settings),
      data_(data),
      shared_(shared),
      training_examples_(examples - settings.held_out),
      batches_{training_examples_, settings.batch, settings.parts},
      own_parts_(
          shared == nullptr
              ? Share{0, settings.parts}
              : share(settings.parts, shared->ranks().rank(), shared->ranks().count())),
      threads_(std::min(threads, settings.parts)),
      layout_(model::Architecture(config_).layout),
      state_(layout_),
      weights_(layout_) {
  if (training_examples_ < 1) {
    throw InputError("training: " + format(settings.held_out) +
                     " examples are held out of " + format(examples) +
                     " (none left to train on)");
  }
  if (start) {
    state_.values = start->model.values;
    mixing_ = start->mixing;
    if (mixing_ > 0) {
      group_means_.emplace(start->model, result_);
    }
  } else {
    parts::initialize(layout_,
                      Rng(static_cast<std::uint64_t>(settings_.seed)).fork(kInitial),
                      state_.values);
  }
  state_.average = state_.values;
}

void Trainer::make_workers() {
  for (auto w = static_cast<int>(std::ssize(workers_)); w < threads_; ++w) {
    workers_.push_back(
        {model::Network(config_, solver(settings_.tolerance, settings_.max_nodes)),
         Source(data_),
         num::Matrix(config_.score_rows(config_.tokens()), config_.scores())});
  }
  parts_.resize(static_cast<std::size_t>(own_parts_.last - own_parts_.first),
                Part{parts::Values(layout_), {}});
}

void Trainer::draw_together(parts::Values& values) const {
  if (group_means_) {
    const double share =
        std::min(1.0, static_cast<double>(state_.step) / static_cast<double>(mixing_));
    group_means_->draw_together(share, values);
  }
}

attention::SolverSettings Trainer::solver(double tolerance, int max_nodes) const {
  attention::SolverSettings s;
  s.tolerance = static_cast<float>(tolerance);
  s.backward = settings_.backward;
  s.temperature = static_cast<float>(settings_.temperature);
  s.admm_iterations = settings_.admm_iterations;
  if (settings_.exact) {
    s.optima = exact_optima(nullptr, max_nodes);
  }
  return s;
}

attention::Stage Trainer::stage() const {
  attention::Stage stage;
  const double done =
      static_cast<double>(state_.step) / static_cast<double>(total_steps());
  if (settings_.curriculum && done < kRelaxedShare) {
    stage.relaxed = true;
    stage.temperature += (kFirstTemperature - stage.temperature) *
                         static_cast<float>(1.0 - done / kRelaxedShare);
  }
  return stage;
}

std::vector<int> Trainer::order_of(int epoch) const {
  std::vector<int> order(static_cast<std::size_t>(training_examples_));
  std::iota(order.begin(), order.end(), 0);
  Rng rng = Rng(static_cast<std::uint64_t>(settings_.seed))
                .fork(kOrder)
                .fork(static_cast<std::uint64_t>(epoch));
  rng.shuffle(std::span(order));
  return order;
}

void Trainer::run_part(Worker& worker,
                       Part& part,
                       std::span<const int> order,
                       Share positions,
                       int epoch) const {
  num::fill(flat(part.gradient), 0.0F);
  part.sums = {};
  const std::int64_t step = state_.step % steps_per_epoch();
  const Rng draws = Rng(static_cast<std::uint64_t>(settings_.seed))
                        .fork(kWarp)
                        .fork(static_cast<std::uint64_t>(epoch));
  const Rng noise = Rng(static_cast<std::uint64_t>(settings_.seed))
                        .fork(kNoise)
                        .fork(static_cast<std::uint64_t>(epoch));
  for (std::int64_t at = positions.first; at < positions.last; ++at) {
    const int i = order[static_cast<std::size_t>(at)];
    const auto index = static_cast<std::uint64_t>(i);
    const Source::Example example =
        worker.source.varied(shared_ == nullptr ? i : shared_->place(step, at),
                             settings_.augmentation,
                             draws.fork(index));
    const num::ConstView scores = worker.network.forward(
        weights_,
        example.input,
        model::TrainingNoise{static_cast<float>(settings_.random_tokens),
                             noise.fork(index)});
    part.sums.tally += model::judge(config_.objective, scores, example.answer);
    const num::View dscores = worker.dscores.view().top(scores.rows);
    part.sums.loss += loss_of(config_.objective,
                              scores,
                              example.answer,
                              {settings_.smoothing, settings_.double_softmax},
                              dscores);
    worker.network.backward(weights_, dscores, part.gradient);
  }
}

/// Adds the gradients of the parts of all ranks to the first part.
Trainer::Sums Trainer::add_up_parts(bool stop) {
  if (shared_ == nullptr) {
    Sums all = parts_.front().sums;
    for (std::size_t p = 1; p < parts_.size(); ++p) {
      num::add(flat(parts_[p].gradient), flat(parts_.front().gradient));
      all.loss += parts_[p].sums.loss;
      all.tally += parts_[p].sums.tally;
    }
    return all;
  }
  struct Told {
    Sums sums;
    std::int64_t stop = 0;  // as wide as its neighbours: no padding
  };
  Told told;
  const auto add = [&] {
    for (const Part& part : parts_) {
      told.sums.loss += part.sums.loss;
      told.sums.tally += part.sums.tally;
    }
    told.stop += stop ? 1 : 0;
  };
  std::vector<std::span<const float>> terms;
  for (const Part& part : parts_) {
    terms.push_back(part.gradient.flat());
  }
  add_in_order(shared_->ranks(),
               terms,
               parts_.front().gradient.flat(),
               {std::as_writable_bytes(std::span(&told, 1)), add});
  stop_agreed_ = told.stop > 0;
  return told.sums;
}

bool Trainer::batch_step(const std::vector<int>& order, bool stop, StepReport& report) {
  const std::int64_t step = state_.step % steps_per_epoch();
  const Share batch = batches_.of_step(step);
  const std::int64_t count = batch.last - batch.first;
  if (group_means_) {
    parts::Values mixed = state_.values;
    draw_together(mixed);
    weights_.set(mixed);
  } else {
    weights_.set(state_.values);
  }
  for (Worker& worker : workers_) {
    worker.network.set_stage(stage());
  }
  if (shared_ != nullptr) {
    shared_->fetch(step);
  }
  parallel_for(std::ssize(parts_), threads_, [&](std::int64_t p, int worker) {
    const std::int64_t part = own_parts_.first + p;
    run_part(workers_[static_cast<std::size_t>(worker)],
             parts_[static_cast<std::size_t>(p)],
             order,
             batches_.of_parts(step, {part, part + 1}),
             report.epoch);
  });
  const auto [loss, tally] = add_up_parts(stop);
  parts::Values& gradient = parts_.front().gradient;
  draw_together(gradient);
  const double size = norm(gradient.flat()) / static_cast<double>(count);
  if (!std::isfinite(loss) || !std::isfinite(size)) {
    return false;
  }
  const double clip =
      settings_.clip > 0.0 && size > settings_.clip ? settings_.clip / size : 1.0;
  const auto scale = static_cast<float>(clip / static_cast<double>(count));
  for (float& g : gradient.flat()) {
    g *= scale;
  }
  report.rate =
      learning_rate(settings_, state_.step, steps_per_epoch() * settings_.epochs);
  state_.adam.step(layout_,
                   gradient,
                   report.rate,
                   settings_.weight_decay,
                   state_.step,
                   state_.values);
  // Averages over fewer steps at first.
  const double decay = std::min(
      settings_.average,
      static_cast<double>(state_.step + 1) / static_cast<double>(state_.step + 10));
  const auto share = static_cast<float>(1.0 - decay);
  for (std::size_t i = 0; i < state_.average.flat().size(); ++i) {
    float& average = state_.average.flat()[i];
    average += share * (state_.values.flat()[i] - average);
  }
  ++state_.step;
  state_.loss_sum += loss;
  state_.correct += tally.correct;
  state_.asked += tally.asked;
  state_.seen += count;
  report.step = state_.step;
  report.loss = state_.loss_sum / static_cast<double>(state_.seen);
  report.accuracy = state_.asked == 0 ? 0.0
                                      : static_cast<double>(state_.correct) /
                                            static_cast<double>(state_.asked);
  report.gradient_norm = size;
  return true;
}

const parts::Values& Trainer::current() const {
  return settings_.average > 0.0 ? state_.average : state_.values;
}

model::Model Trainer::model_of(const parts::Values& values) const {
  model::Model model(config_);
  model.values = values;
  return group_means_
             ? model::convert(model, result_, model::Sharing::Mean, {}, "model")
             : model;
}

model::Model Trainer::best() const {
  return model_of(state_.best_epoch > 0 ? state_.best : current());
}

/// True for the highest accuracy so far, or an equal one with a lower loss.
bool Trainer::is_best(const Evaluation& held_out) const {
  if (settings_.held_out == 0) {
    return true;  // no data to compare epochs
  }
  return held_out.accuracy() > state_.best_accuracy ||
         (held_out.accuracy() == state_.best_accuracy &&
          held_out.loss < state_.best_loss);
}

bool Trainer::end_epoch(const Hooks& hooks, StepReport training) {
  if (!std::isfinite(norm(state_.values.flat()))) {
    return false;
  }
  EpochReport report;
  report.training = training;
  const model::Model model = model_of(current());
  report.held_out = shared_ == nullptr ? evaluate(model,
                                                  solver(1e-5, Settings{}.max_nodes),
                                                  evaluation_loss(settings_),
                                                  data_,
                                                  training_examples_,
                                                  data_.count(),
                                                  threads_)
                                       : evaluate(shared_->ranks(),
                                                  model,
                                                  solver(1e-5, Settings{}.max_nodes),
                                                  evaluation_loss(settings_),
                                                  shared_->held_out(),
                                                  threads_);
  report.best = is_best(report.held_out);
  if (report.best) {
    if (settings_.held_out > 0) {
      state_.best_accuracy = report.held_out.accuracy();
    }
    state_.best_loss = report.held_out.loss;
    state_.best_epoch = training.epoch;
    state_.best = current();
  }
  state_.loss_sum = 0.0;
  state_.correct = 0;
  state_.asked = 0;
  state_.seen = 0;
  if (hooks.epoch) {
    hooks.epoch(report, model);
  }
  return true;
}

TrainingEnd Trainer::run(const Hooks& hooks,
                         const std::stop_token& stop,
                         Progress* progress) {
  make_workers();
  const std::int64_t per_epoch = steps_per_epoch();
  const std::int64_t total = per_epoch * settings_.epochs;
  const double waited_before = shared_ != nullptr ? shared_->ranks().waited() : 0.0;
  TrainingEnd end = TrainingEnd::Finished;
  std::vector<int> order;
  int ordered = 0;
  while (state_.step < total) {
    if (shared_ != nullptr ? stop_agreed_ : stop.stop_requested()) {
      end = TrainingEnd::Interrupted;
      break;
    }
    StepReport report;
    report.epoch = static_cast<int>(state_.step / per_epoch) + 1;
    if (report.epoch != ordered) {
      order = order_of(report.epoch);
      ordered = report.epoch;
      if (shared_ != nullptr) {
        shared_->begin_epoch(order, batches_);
      }
    }
    const Stopwatch step;
    const bool finite = batch_step(order, stop.stop_requested(), report);
    seconds_of_steps_ += step.seconds();
    if (!finite) {
      end = TrainingEnd::Diverged;
      break;
    }
    if (shared_ != nullptr) {
      report.waited = shared_->ranks().waited() - waited_before;
    }
    if (progress != nullptr) {
      progress->advance(std::min<std::int64_t>(settings_.batch, training_examples_));
      progress->note("epoch " + format(report.epoch) + "  loss " +
                     format_fixed(report.loss, 4) + "  accuracy " +
                     format_fixed(100.0 * report.accuracy, 2) + " %");
    }
    if (hooks.step && state_.step % hooks.step_interval == 0) {
      hooks.step(report);
    }
    if (state_.step % per_epoch == 0) {
      if (!end_epoch(hooks, report)) {
        end = TrainingEnd::Diverged;
        break;
      }
      if (hooks.checkpoint) {
        hooks.checkpoint(state_);
      }
    }
  }
  if (end == TrainingEnd::Interrupted && hooks.checkpoint) {
    hooks.checkpoint(state_);
  }
  return end;
}

}  // namespace oa::train
