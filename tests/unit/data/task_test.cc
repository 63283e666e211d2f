#include "oa/data/task.h"

#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/digits.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace oa {
namespace {

const std::vector<Task> kTasks{
    Task::Recall, Task::Induction, Task::Copy, Task::Superposed, Task::Scenes};

Dataset drawn(Task task,
              int count,
              const TaskOptions& options = {},
              Split split = Split::Train,
              int first = 0) {
  return draw_task(task, options, Pictures(), 1, split, first, count);
}

std::span<const std::int32_t> ids_of(const Dataset& set, int i) {
  const Sequences::Place& place = set.sequences.places[at(i)];
  return std::span(set.sequences.ids).subspan(at(place.begin), at(place.length));
}

std::span<const std::int32_t> targets_of(const Dataset& set, int i) {
  const Sequences::Place& place = set.sequences.places[at(i)];
  return std::span(set.targets.numbers).subspan(at(place.begin), at(place.length));
}

std::span<const float> vector_of(const Dataset& set, int i, int token) {
  const Sequences& all = set.sequences;
  const auto k = at(all.places[at(i)].begin + token);
  return std::span(all.vectors).subspan(k * at(all.width), at(all.width));
}

/// Everything that an example is made of, to compare parts.
struct Parts {
  std::vector<std::int32_t> ids;
  std::vector<float> vectors;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int32_t> targets;

  bool operator==(const Parts&) const = default;

  Parts& operator+=(const Dataset& set) {
    const Sequences& s = set.sequences;
    ids.insert(ids.end(), s.ids.begin(), s.ids.end());
    vectors.insert(vectors.end(), s.vectors.begin(), s.vectors.end());
    pixels.insert(pixels.end(), set.images.pixels.begin(), set.images.pixels.end());
    targets.insert(
        targets.end(), set.targets.numbers.begin(), set.targets.numbers.end());
    return *this;
  }
};

/// Grey pictures of one value each, `count` of them, with labels 0 to 9 in turn.
Dataset flat_pictures(int count, int side) {
  Dataset set;
  set.images.count = count;
  set.images.rows = side;
  set.images.cols = side;
  for (int i = 0; i < count; ++i) {
    set.images.pixels.insert(
        set.images.pixels.end(), at(side * side), static_cast<std::uint8_t>(i));
    set.labels.push_back(static_cast<std::uint8_t>(i % 10));
  }
  return set;
}

}  // namespace

TEST_SUITE("data") {
  TEST_CASE("examples drawn in parts are those drawn at once") {
    for (const Task task : kTasks) {
      for (const bool pictures : {false, true}) {
        TaskOptions o;
        o.pictures = pictures;
        Parts whole;
        whole += drawn(task, 12, o);
        Parts parts;
        for (const auto& [first, count] : {std::pair{0, 5}, {5, 1}, {6, 6}}) {
          parts += drawn(task, count, o, Split::Train, first);
        }
        CHECK(whole == parts);
        Parts test;
        test += drawn(task, 12, o, Split::Test);
        CHECK_FALSE(whole == test);
      }
    }
  }

  TEST_CASE("distinct choices are a sample without repetition of all numbers") {
    Rng rng(3);
    std::set<int> seen;
    for (int i = 0; i < 200; ++i) {
      const std::vector<int> chosen = choose_distinct(9, 4, rng);
      CHECK(std::set<int>(chosen.begin(), chosen.end()).size() == 4);
      seen.insert(chosen.begin(), chosen.end());
    }
    CHECK(seen == std::set<int>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<int> all = choose_distinct(5, 5, rng);
    std::ranges::sort(all);
    CHECK(all == std::vector<int>{0, 1, 2, 3, 4});
  }

  TEST_CASE("recall asks for the value of each key, and keys are different") {
    TaskOptions o;
    o.pairs = 6;
    o.keys = 7;
    const Dataset set = drawn(Task::Recall, 50, o);
    CHECK(set.sequences.vocabulary == 14);
    CHECK(set.targets.classes == 14);
    bool shuffled = false;
    for (int i = 0; i < 50; ++i) {
      const auto ids = ids_of(set, i);
      const auto targets = targets_of(set, i);
      REQUIRE(ids.size() == 18);
      std::map<int, int> value;
      for (std::size_t p = 0; p < 6; ++p) {
        CHECK(ids[2 * p] < 7);
        CHECK(ids[2 * p + 1] >= 7);
        CHECK(ids[2 * p + 1] < 14);
        value[ids[2 * p]] = ids[2 * p + 1];
      }
      REQUIRE(value.size() == 6);
      for (std::size_t q = 0; q < 12; ++q) {
        CHECK(targets[q] == -1);
      }
      std::set<int> asked;
      for (std::size_t q = 12; q < 18; ++q) {
        CHECK(targets[q] == value.at(ids[q]));
        asked.insert(ids[q]);
        shuffled = shuffled || ids[q] != ids[2 * (q - 12)];
      }
      CHECK(asked.size() == 6);
    }
    CHECK(shuffled);
  }

  TEST_CASE(
      "induction repeats, and asks for the next token from the second period on") {
    const Dataset set = drawn(Task::Induction, 60);
    std::set<int> periods;
    for (int i = 0; i < 60; ++i) {
      const auto ids = ids_of(set, i);
      const auto targets = targets_of(set, i);
      REQUIRE(ids.size() == 32);
      int period = 1;
      while (ids[at(period)] != ids[0]) {
        ++period;
      }
      periods.insert(period);
      CHECK(std::set<int>(ids.begin(), ids.begin() + period).size() == at(period));
      for (int t = 0; t < 32; ++t) {
        CHECK(ids[at(t)] == ids[at(t % period)]);
        CHECK(targets[at(t)] == (t < period ? -1 : ids[at((t + 1) % period)]));
      }
    }
    CHECK(periods == std::set<int>{8, 9, 10, 11, 12, 13});
  }

  TEST_CASE("copying asks for the tokens among the noise, in their order") {
    const Dataset set = drawn(Task::Copy, 40);
    CHECK(set.sequences.vocabulary == 34);
    CHECK(set.targets.classes == 32);
    for (int i = 0; i < 40; ++i) {
      const auto ids = ids_of(set, i);
      const auto targets = targets_of(set, i);
      REQUIRE(ids.size() == 32);
      std::vector<std::int32_t> found;
      std::ranges::copy_if(
          ids.first(24), std::back_inserter(found), [](int id) { return id < 32; });
      CHECK(std::ranges::count(ids.first(24), 32) == 16);
      CHECK(std::ranges::count(ids.last(8), 33) == 8);
      CHECK(std::ranges::equal(found, targets.last(8)));
      CHECK(std::ranges::count(targets.first(24), -1) == 24);
    }
  }

  TEST_CASE("superposed queries are sums of unit vectors with different labels") {
    TaskOptions o;
    o.noise = 0.01;
    const Dataset set = drawn(Task::Superposed, 20, o);
    CHECK(set.sequences.asking == 8);
    CHECK(set.targets.rows == 8);
    CHECK(set.targets.per_row == 4);
    for (int i = 0; i < 20; ++i) {
      const auto ids = ids_of(set, i);
      REQUIRE(ids.size() == 32);
      std::map<int, int> token_of;
      for (int j = 0; j < 24; ++j) {
        double square = 0.0;
        for (const float x : vector_of(set, i, j)) {
          square += double{x} * double{x};
        }
        CHECK(square == doctest::Approx(1.0).epsilon(1e-6));
        token_of[ids[at(j)]] = j;
      }
      CHECK(token_of.size() == 24);
      for (int q = 0; q < 8; ++q) {
        CHECK(ids[at(24 + q)] == -1);
        const auto* labels = set.targets.numbers.data() + (i * 8 + q) * 4;
        CHECK(std::is_sorted(labels, labels + 4));
        CHECK(std::set<int>(labels, labels + 4).size() == 4);
        const auto query = vector_of(set, i, 24 + q);
        double off = 0.0;
        for (std::size_t k = 0; k < 16; ++k) {
          double sum = 0.0;
          for (int s = 0; s < 4; ++s) {
            sum += double{vector_of(set, i, token_of.at(labels[s]))[k]};
          }
          off = std::max(off, std::abs(sum - double{query[k]}));
        }
        CHECK(off > 1e-5);
        CHECK(off < 0.06);  // six deviations of the noise
      }
    }
  }

  TEST_CASE("amounts are how often a vector is in its query's sum") {
    TaskOptions o;
    o.noise = 0.01;
    o.amounts = 3;
    const Dataset set = drawn(Task::Superposed, 20, o);
    CHECK(set.targets.classes == 3 * 64);
    CHECK(set.targets.per_row == 12);
    std::set<int> seen;
    for (int i = 0; i < 20; ++i) {
      std::map<int, int> token_of;
      for (int j = 0; j < 24; ++j) {
        token_of[ids_of(set, i)[at(j)]] = j;
      }
      for (int q = 0; q < 8; ++q) {
        std::map<int, int> amount_of;
        const auto* classes = set.targets.numbers.data() + (i * 8 + q) * 12;
        for (int k = 0; k < 12 && classes[k] >= 0; ++k) {
          CHECK(classes[k] % 3 == amount_of[classes[k] / 3]);
          ++amount_of[classes[k] / 3];
        }
        CHECK(amount_of.size() == 4);
        const auto query = vector_of(set, i, 24 + q);
        double off = 0.0;
        for (std::size_t k = 0; k < 16; ++k) {
          double sum = 0.0;
          for (const auto& [label, amount] : amount_of) {
            sum += amount / 3.0 * double{vector_of(set, i, token_of.at(label))[k]};
            seen.insert(amount);
          }
          off = std::max(off, std::abs(sum - double{query[k]}));
        }
        CHECK(off < 0.02);
      }
    }
    CHECK(seen == std::set<int>{1, 2, 3});
  }

  TEST_CASE("overlays are means of pictures, rounded to bytes") {
    TaskOptions o;
    o.pictures = true;
    const Dataset set = drawn(Task::Superposed, 2, o);
    CHECK(set.sequences.width == kDigitSide * kDigitSide);
    for (int i = 0; i < 2; ++i) {
      std::map<int, int> token_of;
      for (int j = 0; j < 24; ++j) {
        token_of[ids_of(set, i)[at(j)]] = j;
      }
      const auto* labels = set.targets.numbers.data() + i * 32;
      const auto query = vector_of(set, i, 24);
      bool bright = false;
      for (std::size_t k = 0; k < query.size(); ++k) {
        long sum = 0;
        for (int s = 0; s < 4; ++s) {
          sum += std::lround(255.0F * vector_of(set, i, token_of.at(labels[s]))[k]);
        }
        bright = bright || sum > 255;
        REQUIRE(query[k] == static_cast<float>((sum + 2) / 4) / 255.0F);
      }
      CHECK(bright);
    }
  }

  TEST_CASE("training and test overlays have no source picture in common") {
    TaskOptions o;
    o.pictures = true;
    o.memory = 8;
    o.sum = 1;
    const Pictures pictures(flat_pictures(60, 10));
    CHECK(pictures.count(Split::Train) == 50);
    CHECK(pictures.count(Split::Test) == 10);
    for (const Split split : {Split::Train, Split::Test}) {
      const Dataset set = draw_task(Task::Superposed, o, pictures, 1, split, 0, 30);
      std::set<long> all;
      for (int i = 0; i < 30; ++i) {
        std::set<long> used;
        for (int j = 0; j < 8; ++j) {
          used.insert(std::lround(255.0F * vector_of(set, i, j)[0]));
        }
        CHECK(used.size() == 8);
        all.insert(used.begin(), used.end());
      }
      CHECK(*all.begin() == (split == Split::Train ? 0 : 50));
      CHECK(*all.rbegin() == (split == Split::Train ? 49 : 59));
    }
  }

  TEST_CASE("scenes hold each digit in the cell that the targets say") {
    // A flat picture of value i shows the digit i % 10, also when it is small.
    TaskOptions o;
    o.clutter = 0;
    const Pictures pictures(flat_pictures(60, 28));
    std::set<int> counts;
    for (int i = 0; i < 30; ++i) {
      const Dataset set = draw_task(Task::Scenes, o, pictures, 1, Split::Test, i, 1);
      CHECK(set.images.rows == 56);
      CHECK(set.images.cols == 56);
      CHECK(set.targets.classes == 49);
      CHECK(set.targets.rows == 10);
      std::map<int, int> digit_at;
      for (int digit = 0; digit < 10; ++digit) {
        if (const int cell = set.targets.numbers[at(digit)]; cell >= 0) {
          digit_at[cell] = digit;
        }
      }
      counts.insert(static_cast<int>(digit_at.size()));
      for (int p = 0; p < 56 * 56; ++p) {
        const int cell = p / 56 / 8 * 7 + p % 56 / 8;
        const auto found = digit_at.find(cell);
        const int expected = found == digit_at.end() ? 0 : 50 + found->second;
        REQUIRE(int{set.images.pixels[at(p)]} == expected);
      }
    }
    CHECK(counts == std::set<int>{3, 4, 5});
  }

  TEST_CASE("clutter fills as many cells more") {
    TaskOptions o;
    o.digits_min = 2;
    o.digits_max = 2;
    o.clutter = 9;
    const Dataset set = drawn(Task::Scenes, 10, o);
    for (int i = 0; i < 10; ++i) {
      std::set<int> filled;
      for (int p = 0; p < 56 * 56; ++p) {
        if (set.images[i][at(p)] > 0) {
          filled.insert(p / 56 / 8 * 7 + p % 56 / 8);
        }
      }
      CHECK(filled.size() == 11);
    }
  }

  TEST_CASE("options that do not go together are refused by name") {
    TaskOptions o;
    const Pictures built_in;
    for (const Task task : kTasks) {
      CHECK(refusal_of(task, o, built_in).empty());
    }
    o.pairs = 33;
    o.period_max = 32;
    o.tokens = 25;
    o.sum = 25;
    o.clutter = 45;
    CHECK(refusal_of(Task::Recall, o, built_in) == "pairs 33 is above keys 32");
    CHECK(refusal_of(Task::Induction, o, built_in) ==
          "period-max 32 is above length minus one, 31");
    CHECK(refusal_of(Task::Copy, o, built_in) == "tokens 25 is above places 24");
    CHECK(refusal_of(Task::Superposed, o, built_in) == "sum 25 is above memory 24");
    CHECK(refusal_of(Task::Scenes, o, built_in) ==
          "digits-max and clutter, together 50 is above the number of cells, 49");
    o = {};
    o.pictures = true;
    CHECK(refusal_of(Task::Superposed, o, Pictures(flat_pictures(100, 4))) ==
          "memory 24 is above the number of images for test examples, 16");
    CHECK(refusal_of(Task::Scenes, o, Pictures(flat_pictures(100, 9))) ==
          "9x9 pixels are too few for scenes (expected 10 each way)");
    CHECK(refusal_of(Task::Scenes, o, Pictures(flat_pictures(30, 28))) ==
          "no picture of a 0 among those for test examples");
  }
}

}  // namespace oa
