#include "oa/train/ranks.h"

#include "oa/base/error.h"
#include "oa/base/parallel.h"
#include "oa/base/rng.h"
#include "oa/data/digits.h"
#include "oa/data/packed_example.h"
#include "oa/data/task.h"
#include "oa/train/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>

using namespace oa;

namespace {

/// Messages between the threads that replace processes.
class Letters {
 public:
  void put(std::size_t from, std::size_t to, train::Bytes bytes) {
    const std::lock_guard lock(guard_);
    boxes_[from][to].push_back(std::move(bytes));
    changed_.notify_all();
  }
  train::Bytes take(std::size_t from, std::size_t to) {
    std::unique_lock lock(guard_);
    auto& box = boxes_[from][to];
    changed_.wait(lock, [&] { return !box.empty(); });
    train::Bytes bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::array<std::array<std::deque<train::Bytes>, 8>, 8> boxes_;
};

class ThreadRank final : public train::Ranks {
 public:
  ThreadRank(Letters& letters, int rank, int count)
      : letters_(letters),
        rank_(rank),
        count_(count) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }
  void send(int to, std::span<const std::byte> bytes) override {
    sent_ += bytes.size();
    letters_.put(static_cast<std::size_t>(rank_),
                 static_cast<std::size_t>(to),
                 train::Bytes(bytes.begin(), bytes.end()));
  }
  void receive(int from, std::span<std::byte> bytes) override {
    const train::Bytes letter =
        letters_.take(static_cast<std::size_t>(from), static_cast<std::size_t>(rank_));
    REQUIRE(letter.size() == bytes.size());
    std::ranges::copy(letter, bytes.begin());
  }
  [[nodiscard]] double waited() const override { return 0.0; }
  [[nodiscard]] std::size_t sent() const { return sent_; }

 private:
  Letters& letters_;
  int rank_;
  int count_;
  std::size_t sent_ = 0;
};

/// Runs work(rank) on `count` ranks.
template <class F>
void on_ranks(int count, F work) {
  Letters letters;
  run_workers(count, [&](int r) {
    ThreadRank rank(letters, r, count);
    work(rank);
  });
}

struct Trained {
  std::vector<float> values;
  std::vector<float> best;
  std::vector<double> held_out;  // losses and accuracies of the epochs
  std::int64_t step = 0;

  bool operator==(const Trained&) const = default;
};

Trained result_of(train::Trainer& trainer,
                  train::Hooks hooks = {},
                  const std::stop_token& stop = {}) {
  Trained all;
  hooks.epoch = [&](const train::EpochReport& report, const model::Model&) {
    all.held_out.push_back(report.held_out.loss);
    all.held_out.push_back(report.held_out.accuracy());
    all.held_out.push_back(report.training.loss);
  };
  (void)trainer.run(hooks, stop);
  const auto values = trainer.state().values.flat();
  const auto best = trainer.state().best.flat();
  all.values.assign(values.begin(), values.end());
  all.best.assign(best.begin(), best.end());
  all.step = trainer.state().step;
  return all;
}

train::Recipe small_recipe() {
  train::Recipe r = train::best_recipe();
  r.model.rows = r.model.cols = 28;
  r.model.dim = 16;
  r.model.token_mlp = r.model.head = 16;
  r.model.classes = 10;
  r.training.epochs = 2;
  r.training.batch = 20;
  r.training.held_out = 150;
  r.training.warmup = 3;
  return r;
}

/// The share of `data` of a rank.
train::SharedExamples shared(train::Ranks& ranks,
                             const Dataset& data,
                             const train::Recipe& recipe) {
  const ExampleRange own = train::held_examples(ranks, data.count());
  return {
      ranks, cut(data, own.first, own.last), data.count(), recipe.training.held_out};
}

void check_all_ranks(const train::Recipe& recipe, const Dataset& data) {
  train::Trainer alone(recipe.model, recipe.training, data, 1);
  const Trained expected = result_of(alone);
  for (const int count : {2, 3, 4, 8}) {
    CAPTURE(count);
    std::vector<Trained> seen(static_cast<std::size_t>(count));
    on_ranks(count, [&](train::Ranks& ranks) {
      train::SharedExamples examples = shared(ranks, data, recipe);
      train::Trainer trainer(recipe.model, recipe.training, examples, 1 + count % 2);
      seen[static_cast<std::size_t>(ranks.rank())] = result_of(trainer);
    });
    for (const Trained& one : seen) {
      CHECK(one == expected);
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("train");

TEST_CASE("a sum over ranks has the bits of a sum in order") {
  constexpr std::size_t kSize = 40000;  // more than two blocks
  std::vector<std::vector<float>> terms(8, std::vector<float>(kSize));
  Rng rng(1);
  for (auto& term : terms) {
    for (float& value : term) {
      value = static_cast<float>(rng.normal() * 1e3);
    }
  }
  std::vector<float> expected = terms[0];
  for (std::size_t t = 1; t < terms.size(); ++t) {
    for (std::size_t i = 0; i < kSize; ++i) {
      expected[i] += terms[t][i];
    }
  }
  for (const int count : {1, 2, 3, 5, 8}) {
    on_ranks(count, [&](ThreadRank& rank) {
      const train::Share own = train::share(8, rank.rank(), count);
      std::vector<std::vector<float>> mine(terms.begin() + own.first,
                                           terms.begin() + own.last);
      const std::vector<std::span<const float>> views(mine.begin(), mine.end());
      train::add_in_order(rank, views, mine.front());
      CHECK(mine.front() == expected);
      // One total forward and one back, whatever the number of ranks.
      CHECK(rank.sent() <= 2 * kSize * sizeof(float));
    });
  }
}

TEST_CASE("messages of ranks arrive at their rank, empty or not") {
  constexpr int kRanks = 5;
  on_ranks(kRanks, [&](train::Ranks& ranks) {
    std::vector<train::Bytes> to_each(kRanks);
    for (int r = 0; r < kRanks; ++r) {
      to_each[static_cast<std::size_t>(r)].assign(
          static_cast<std::size_t>(r * ranks.rank()), std::byte(ranks.rank()));
    }
    const auto from_each = train::exchange(ranks, to_each);
    for (int r = 0; r < kRanks; ++r) {
      CHECK(from_each[static_cast<std::size_t>(r)] ==
            train::Bytes(static_cast<std::size_t>(r * ranks.rank()), std::byte(r)));
    }
  });
}

TEST_CASE("training on images makes the same bits on any number of ranks") {
  check_all_ranks(small_recipe(), digits(1, Split::Train, 0, 470));
}

TEST_CASE("ranks may have no example of a batch, or none at all") {
  train::Recipe recipe = small_recipe();
  recipe.training.batch = 3;
  recipe.training.held_out = 1;
  check_all_ranks(recipe, digits(1, Split::Train, 0, 6));
}

TEST_CASE("ranks that hold a share each can all get the beginning") {
  const Dataset data = digits(1, Split::Train, 0, 50);
  const train::Recipe recipe = [] {
    train::Recipe r = small_recipe();
    r.training.held_out = 20;
    return r;
  }();
  for (const int count : {2, 5, 8}) {
    on_ranks(count, [&](train::Ranks& ranks) {
      const train::SharedExamples examples = shared(ranks, data, recipe);
      CHECK(examples.beginning(13).images.pixels == cut(data, 0, 13).images.pixels);
      CHECK(examples.beginning(40).labels == cut(data, 0, 30).labels);
    });
  }
}

TEST_CASE("training on sequences makes the same bits on any number of ranks") {
  TaskOptions options;
  options.pairs = 4;
  options.keys = 8;
  const Dataset data =
      draw_task(Task::Recall, options, Pictures(), 1, Split::Train, 0, 400);
  train::Recipe r = *train::task_recipe({"recall"});
  r.model.length = data.sequences.places.front().length;
  r.model.vocabulary = data.sequences.vocabulary;
  r.model.classes = data.targets.classes;
  r.model.objective = data.targets.objective;
  r.model.dim = 16;
  r.model.token_mlp = 0;
  r.training.batch = 32;
  r.training.held_out = 100;
  r.training.epochs = 2;
  check_all_ranks(r, data);
}

TEST_CASE("a training that stops on some ranks goes on with others to the same bits") {
  const train::Recipe recipe = small_recipe();
  const Dataset data = digits(1, Split::Train, 0, 470);
  train::Trainer alone(recipe.model, recipe.training, data, 2);
  const Trained expected = result_of(alone);
  std::optional<train::State> saved;
  on_ranks(3, [&](train::Ranks& ranks) {
    train::SharedExamples examples = shared(ranks, data, recipe);
    train::Trainer trainer(recipe.model, recipe.training, examples, 1);
    std::stop_source stop;  // of rank 1 alone
    train::Hooks hooks;
    hooks.step_interval = 7;
    hooks.step = [&](const train::StepReport& report) {
      CHECK(report.waited.has_value());
      if (ranks.rank() == 1) {
        stop.request_stop();
      }
    };
    if (ranks.rank() == 0) {
      hooks.checkpoint = [&](const train::State& state) { saved = state; };
    }
    CHECK(trainer.run(hooks, stop.get_token()) == train::TrainingEnd::Interrupted);
    CHECK(trainer.state().step == 8);
  });
  REQUIRE(saved);
  CHECK(saved->step == 8);
  on_ranks(4, [&](train::Ranks& ranks) {
    train::SharedExamples examples = shared(ranks, data, recipe);
    train::Trainer trainer(recipe.model, recipe.training, examples, 1);
    trainer.resume(*saved);
    const Trained rest = result_of(trainer);
    CHECK(rest.values == expected.values);
    CHECK(rest.best == expected.best);
  });
}

TEST_CASE("more parts let more ranks share a batch, and make other bits") {
  train::Recipe recipe = small_recipe();
  recipe.training.epochs = 1;
  const Dataset data = digits(1, Split::Train, 0, 300);
  train::Trainer eight(recipe.model, recipe.training, data, 1);
  const Trained usual = result_of(eight);
  recipe.training.parts = 20;
  CHECK(train::describe(recipe.training).contains("oa.train.parts"));
  train::Trainer twenty(recipe.model, recipe.training, data, 2);
  CHECK(result_of(twenty).values != usual.values);
}

TEST_CASE("a text's last sequence keeps its room when its share is cut out") {
  Dataset text;
  text.sequences.vocabulary = 9;
  text.sequences.slack = 3;
  text.targets.objective = Objective::Positions;
  text.targets.classes = 9;
  for (std::int32_t i = 0; i < 10; ++i) {
    text.sequences.ids.push_back(i % 9);
    text.targets.numbers.push_back((i + 1) % 9);
  }
  text.sequences.places = {{0, 4}, {4, 4}};
  CHECK(text.sequences.room(0) == 3);
  CHECK(text.sequences.room(1) == 2);
  Dataset unpacked = without_examples(text);
  for (const int i : {1, 0}) {
    train::Bytes bytes;
    pack_example(text, i, bytes);
    std::span<const std::byte> rest(bytes);
    unpack_example(rest, unpacked);
    CHECK(rest.empty());
    std::span<const std::byte> cut_short(bytes.data(), bytes.size() - 1);
    Dataset other = without_examples(text);
    CHECK_THROWS_AS(unpack_example(cut_short, other), InputError);
  }
  CHECK(unpacked.sequences.room(0) == 2);
  CHECK(unpacked.sequences.room(1) == 3);
  CHECK(unpacked.sequences.ids ==
        std::vector<std::int32_t>{4, 5, 6, 7, 8, 0, 0, 1, 2, 3, 4, 5, 6});
  CHECK(unpacked.targets.numbers.size() == unpacked.sequences.ids.size());
}

TEST_SUITE_END();
