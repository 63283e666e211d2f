#include "oa/train/trainer.h"

#include "oa/base/error.h"
#include "oa/data/augment.h"
#include "oa/data/digits.h"
#include "oa/data/task.h"
#include "oa/train/calibrate.h"
#include "oa/train/exact_forward.h"

#include <doctest/doctest.h>

#include <limits>
#include <stop_token>

using namespace oa;

namespace {

/// Images of a bright bar whose place is the class.
Dataset bars(int count) {
  Dataset d;
  d.images.count = count;
  d.images.rows = d.images.cols = 12;
  Rng rng(1);
  for (int i = 0; i < count; ++i) {
    const auto label = static_cast<std::uint8_t>(rng.below(3));
    d.labels.push_back(label);
    for (int r = 0; r < 12; ++r) {
      for (int c = 0; c < 12; ++c) {
        const bool bar = r / 4 == label;
        d.images.pixels.push_back(
            static_cast<std::uint8_t>(rng.below(100) + (bar ? 150U : 0U)));
      }
    }
  }
  return d;
}

model::Config config() {
  model::Config c = train::best_recipe().model;
  c.rows = c.cols = 12;
  c.window = c.stride = 4;
  c.margin = 0;
  c.dim = 16;
  c.token_mlp = c.head = 16;
  c.classes = 3;
  return c;
}

train::Settings settings() {
  train::Settings s = train::best_recipe().training;
  s.epochs = 3;
  s.batch = 20;
  s.held_out = 30;
  s.warmup = 5;
  return s;
}

bool same(const parts::Values& a, const parts::Values& b) {
  return std::ranges::equal(a.flat(), b.flat());
}

/// A small recall task, learned in a second.
Dataset little_recall(int count) {
  TaskOptions options;
  options.pairs = 4;
  options.keys = 8;
  return draw_task(Task::Recall, options, Pictures(), 1, Split::Train, 0, count);
}

train::Recipe recipe_of_recall(const Dataset& data) {
  train::Recipe r = *train::task_recipe({"recall"});
  r.model.length = data.sequences.places.front().length;
  r.model.vocabulary = data.sequences.vocabulary;
  r.model.classes = data.targets.classes;
  r.model.objective = data.targets.objective;
  r.model.dim = 32;
  r.model.token_mlp = 0;
  r.training.batch = 32;
  r.training.held_out = 200;
  r.training.epochs = 1;
  r.training.rate = 1e-2;
  r.training.warmup = 20;
  return r;
}

}  // namespace

TEST_SUITE_BEGIN("train");

TEST_CASE("recall is learned, and not without a gradient of the coefficients") {
  const Dataset data = little_recall(6600);
  train::Recipe recipe = recipe_of_recall(data);
  const auto accuracy = [&] {
    train::Trainer trainer(recipe.model, recipe.training, data, 2);
    CHECK(trainer.run({}) == train::TrainingEnd::Finished);
    return trainer.state().best_accuracy;
  };
  CHECK(accuracy() > 0.98);
  recipe.training.backward = attention::Backward::None;
  recipe.training.curriculum = false;
  CHECK(accuracy() < 0.6);
}

TEST_CASE(
    "among equally accurate epochs the one with the least held-out loss is the best") {
  const Dataset data = bars(330);
  train::Settings few = settings();
  few.held_out = 3;
  few.epochs = 12;
  train::Trainer trainer(config(), few, data, 2);
  double accuracy = -1.0;
  double loss = 0.0;
  int ties = 0;
  train::Hooks hooks;
  hooks.epoch = [&](const train::EpochReport& report, const model::Model&) {
    const train::Evaluation& e = report.held_out;
    const bool tie = e.accuracy() == accuracy;
    CHECK(report.best == (e.accuracy() > accuracy || (tie && e.loss < loss)));
    if (report.best) {
      ties += tie ? 1 : 0;
      accuracy = e.accuracy();
      loss = e.loss;
      CHECK(trainer.state().best_epoch == report.training.epoch);
      CHECK(trainer.state().best_loss == loss);
    }
  };
  CHECK(trainer.run(hooks) == train::TrainingEnd::Finished);
  CHECK(ties > 0);
}

TEST_CASE("a checkpoint without the loss of its best epoch keeps that epoch in a tie") {
  const Dataset data = bars(330);
  train::Trainer trainer(config(), settings(), data, 2);
  CHECK(trainer.run({}) == train::TrainingEnd::Finished);
  auto metadata = train::describe(trainer.state());
  train::State state(trainer.layout());
  train::restore(metadata, "c", state);
  CHECK(state.best_loss == trainer.state().best_loss);
  metadata.erase("oa.state.best_loss");
  train::State old(trainer.layout());
  train::restore(metadata, "c", old);
  CHECK(old.best_loss == 0.0);
  metadata["oa.state.best_loss"] = "x";
  CHECK_THROWS_AS(train::restore(metadata, "c", old), InputError);
}

TEST_CASE("a loss that is not finite stops the training before it does harm") {
  const Dataset data = bars(330);
  train::Settings wild = settings();
  wild.rate = std::numeric_limits<double>::max();
  wild.warmup = 0;
  train::Trainer trainer(config(), wild, data, 1);
  CHECK(trainer.run({}) == train::TrainingEnd::Diverged);
}

TEST_CASE("exact training goes forward by the optima of the QUBOs") {
  // Two values, -1 and 2 with fields such that a cut of the relaxation is not optimal.
  num::Matrix j(2, 2);
  num::Matrix h(1, 2);
  num::Matrix x(1, 2);
  j(0, 0) = j(1, 1) = 2.0F;
  j(0, 1) = j(1, 0) = 1.9F;
  h(0, 0) = h(0, 1) = -2.0F;  // the relaxation's minimum is (0.51, 0.51)
  train::exact_optima()(j, h, false, 2, x);
  CHECK(x(0, 0) == 0.0F);
  CHECK(x(0, 1) == 1.0F);

  const Dataset data = bars(330);
  train::Settings exact = settings();
  exact.exact = true;
  exact.epochs = 1;
  train::Trainer trainer(config(), exact, data, 2);
  CHECK(trainer.run({}) == train::TrainingEnd::Finished);
  train::Settings rounded = exact;
  rounded.exact = false;
  train::Trainer other(config(), rounded, data, 2);
  CHECK(other.run({}) == train::TrainingEnd::Finished);
  CHECK_FALSE(same(trainer.state().values, other.state().values));
}

TEST_CASE("a training begins with the parameters it is given") {
  const Dataset data = bars(330);
  train::Trainer first(config(), settings(), data, 1);
  CHECK(first.run({}) == train::TrainingEnd::Finished);
  train::Settings none = settings();
  none.epochs = 0;
  none.seed = 5;
  const train::Start start{.model = first.best()};
  train::Trainer second(config(), none, data, 1, start);
  CHECK(second.run({}) == train::TrainingEnd::Finished);
  CHECK(same(second.best().values, start.model.values));
}

TEST_CASE("moments of what enters the layers are the same for any number of threads") {
  const Dataset data = bars(30);
  model::Config two = config();
  two.layers = 2;
  two.attention = "softmax";
  model::Model m(two);
  parts::initialize(m.layout, Rng(3), m.values);
  const auto one = train::input_moments(m, data, 21, 1);
  const auto three = train::input_moments(m, data, 21, 3);
  REQUIRE(one.size() == 2);
  CHECK(one[0].width == two.token_width());
  CHECK(one[1].width == two.dim);
  for (std::size_t l = 0; l < 2; ++l) {
    CHECK(one[l].sums == three[l].sums);
    CHECK(one[l].sums.front() > 0.0);
  }
}

TEST_CASE("heads that come to share keys: the same bits by threads and resumed") {
  const Dataset data = bars(330);
  model::Config own = config();
  own.attention = "gqa:heads=4,groups=4,plain=true,output=true";
  model::Config shared = config();
  shared.attention = "mqa:heads=4,plain=true,output=true";
  train::Start start{.model = model::Model(own), .mixing = 20};
  parts::initialize(start.model.layout, Rng(3), start.model.values);

  train::Trainer whole(shared, settings(), data, 1, start);
  train::Hooks hooks;
  hooks.step_interval = 11;  // while they are drawn together
  std::optional<train::State> saved;
  std::stop_source stop;
  hooks.step = [&](const train::StepReport&) { stop.request_stop(); };
  hooks.checkpoint = [&](const train::State& state) { saved = state; };
  CHECK(whole.run({}) == train::TrainingEnd::Finished);
  CHECK(whole.best().config == shared);

  train::Trainer first(shared, settings(), data, 3, start);
  CHECK(first.run(hooks, stop.get_token()) == train::TrainingEnd::Interrupted);
  REQUIRE(saved);
  CHECK(saved->step == 11);
  train::Trainer second(shared, settings(), data, 2, start);
  second.resume(*saved);
  CHECK(second.run({}) == train::TrainingEnd::Finished);
  CHECK(same(whole.state().values, second.state().values));
  CHECK(same(whole.best().values, second.best().values));
}

TEST_CASE("holding out all examples is an error") {
  const Dataset data = bars(30);
  CHECK_THROWS_AS(train::Trainer(config(), settings(), data, 1), InputError);
}

TEST_CASE("learning rates warm up and fall") {
  train::Settings s;
  s.rate = 1.0;
  s.warmup = 10;
  CHECK(learning_rate(s, 0, 100) == doctest::Approx(0.1));
  CHECK(learning_rate(s, 9, 100) == doctest::Approx(1.0));
  CHECK(learning_rate(s, 55, 100) == doctest::Approx(0.5));
  CHECK(learning_rate(s, 99, 100) < 0.001);
}

TEST_SUITE_END();
