#include "oa/model/objective.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

namespace oa {
namespace {

num::Matrix table(int cols, std::initializer_list<float> values) {
  num::Matrix all(static_cast<int>(values.size()) / cols, cols);
  int k = 0;
  for (const float v : values) {
    all(k / cols, k % cols) = v;
    ++k;
  }
  return all;
}

using Numbers = std::vector<std::int32_t>;

TEST_SUITE_BEGIN("model");

TEST_CASE("the class with the largest score is the answer") {
  const num::Matrix scores = table(3, {-5.0F, -1.0F, -2.0F});
  const auto right =
      model::judge(Objective::Class, scores, {.label = 1, .numbers = {}});
  CHECK(right.asked == 1);
  CHECK(right.correct == 1);
  CHECK(model::judge(Objective::Class, scores, {.label = 0, .numbers = {}}).correct ==
        0);
}

TEST_CASE("positions without a question do not count") {
  const num::Matrix scores = table(2, {1, 0, 1, 0, 0, 1});
  const Numbers targets{0, -1, 0};
  const auto tally = model::judge(Objective::Positions, scores, {.numbers = targets});
  CHECK(tally.asked == 2);
  CHECK(tally.correct == 1);
  CHECK(tally.share() == 0.5);
}

TEST_CASE("a set is right as a whole or not at all") {
  const Numbers targets{0, 2, 1, -1};
  const auto correct = [&](std::initializer_list<float> values) {
    const auto tally = model::judge(
        Objective::Sets, table(3, values), {.numbers = targets, .per_row = 2});
    CHECK(tally.asked == 2);
    return tally.correct;
  };
  CHECK(correct({1, -1, 2, -1, 3, -1}) == 2);
  CHECK(correct({1, 1, 2, -1, 3, -1}) == 1);    // one too many
  CHECK(correct({1, -1, -2, -1, 3, -1}) == 1);  // one is missing
  CHECK(correct({1, -1, 0, -1, 0, -1}) == 0);   // 0 says no
}

TEST_CASE("presence, whole pictures and positions of cells are counted separately") {
  // A row: is it there, then two cells.  The second class is in no cell.
  const Numbers targets{1, -1};
  const auto judged = [&](std::initializer_list<float> values) {
    return model::judge(Objective::Cells, table(3, values), {.numbers = targets});
  };
  const auto right = judged({1, 0, 5, -1, 9, 0});
  CHECK(right.asked == 1);
  CHECK(right.correct == 1);
  CHECK(right.classes == 2);
  CHECK(right.classes_right == 2);
  CHECK(right.pictures == 1);
  CHECK(right.pictures_right == 1);
  // The cell counts where the class was thought to be absent, too.
  auto sum = judged({-1, 0, 5, -1, 9, 0});
  CHECK(sum.correct == 1);
  CHECK(sum.classes_right == 1);
  CHECK(sum.pictures_right == 0);
  sum += right;
  CHECK(sum.pictures == 2);
  CHECK(sum.pictures_right == 1);
  CHECK(sum.classes == 4);
  CHECK(judged({1, 5, 0, -1, 9, 0}).correct == 0);
}

TEST_CASE("questions are counted, with their answers") {
  // Two rows: the last class of the first is the most probable, the first of the
  // second.
  const num::Matrix scores = table(3, {1.0F, 2.0F, 3.0F, 5.0F, 4.0F, -1.0F});
  SUBCASE("positions") {
    const Numbers targets{-1, 2};
    const auto all =
        model::questions(Objective::Positions, scores, {.numbers = targets});
    REQUIRE(all.size() == 1);
    CHECK(all[0].number == 0);
    CHECK(all[0].answer == std::vector<int>{0});
    CHECK_FALSE(all[0].correct);
    CHECK(all[0].surprise ==
          doctest::Approx(model::surprise(scores, {.numbers = targets})));
  }
  SUBCASE("sets") {
    const Numbers targets{0, 1, 2, 0, 1, -1};
    const auto all =
        model::questions(Objective::Sets, scores, {.numbers = targets, .per_row = 3});
    REQUIRE(all.size() == 2);
    CHECK(all[1].number == 1);
    CHECK(all[1].answer == std::vector<int>{0, 1});
    CHECK(all[1].correct);
    CHECK(all[0].correct);
  }
  SUBCASE("cells") {
    const Numbers targets{1, -1};
    const auto all = model::questions(Objective::Cells, scores, {.numbers = targets});
    REQUIRE(all.size() == 2);
    CHECK(all[0].present);
    CHECK(all[0].answer == std::vector<int>{1});
    CHECK(all[0].correct);
    CHECK(all[1].right.empty());
    CHECK_FALSE(all[1].correct);
  }
}

TEST_SUITE_END();

}  // namespace
}  // namespace oa
