#include "oa/train/loss.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/num/rows.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa {
namespace {

num::Matrix drawn_scores(int rows, int cols) {
  num::Matrix scores(rows, cols);
  Rng rng(7);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < cols; ++k) {
      scores(i, k) = static_cast<float>(rng.uniform(-2.0, 2.0));
    }
  }
  return scores;
}

/// Compares every number of the gradient with a difference of losses.
void check_gradient(Objective objective,
                    int rows,
                    int cols,
                    const model::Answer& answer,
                    const train::LossSettings& how = {}) {
  num::Matrix scores = drawn_scores(rows, cols);
  num::Matrix gradient(rows, cols);
  num::Matrix unused(rows, cols);
  num::fill(gradient, 99.0F);  // earlier contents do not count
  const auto loss = [&](num::View to) {
    return train::loss_of(objective, scores, answer, how, to);
  };
  CHECK(loss(gradient) > 0.0);
  constexpr float kStep = 1.0F / 1024;
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < cols; ++k) {
      CAPTURE(i);
      CAPTURE(k);
      const float before = scores(i, k);
      scores(i, k) = before + kStep;
      const double above = loss(unused);
      scores(i, k) = before - kStep;
      const double below = loss(unused);
      scores(i, k) = before;
      // Scores are floats, so the step is exact to 1e-4 of itself.
      CHECK(static_cast<double>(gradient(i, k)) ==
            doctest::Approx((above - below) / (2.0 * static_cast<double>(kStep)))
                .epsilon(1e-3)
                .scale(0.1));
    }
  }
}

TEST_SUITE_BEGIN("train");

TEST_CASE("the gradient of each objective's loss is that of differences") {
  SUBCASE("class") {
    check_gradient(Objective::Class, 1, 5, {.label = 3, .numbers = {}});
    for (const bool twice : {false, true}) {
      check_gradient(Objective::Class, 1, 5, {.label = 0, .numbers = {}}, {0.2, twice});
    }
  }
  SUBCASE("positions, some of which ask") {
    const std::vector<std::int32_t> targets{-1, 2, 0, -1};
    check_gradient(Objective::Positions, 4, 3, {.numbers = targets});
  }
  SUBCASE("positions of which none asks have no loss") {
    const std::vector<std::int32_t> targets{-1, -1};
    const num::Matrix scores = drawn_scores(2, 3);
    num::Matrix gradient(2, 3);
    num::fill(gradient, 99.0F);
    CHECK(train::loss_of(
              Objective::Positions, scores, {.numbers = targets}, {}, gradient) == 0.0);
    CHECK(gradient(0, 0) == 0.0F);
    CHECK(gradient(1, 2) == 0.0F);
  }
  SUBCASE("sets, one smaller than the others") {
    const std::vector<std::int32_t> targets{1, 4, 3, -1};
    check_gradient(Objective::Sets, 2, 5, {.numbers = targets, .per_row = 2});
  }
  SUBCASE("cells, and a class that is in none") {
    const std::vector<std::int32_t> targets{2, -1, 0};
    check_gradient(Objective::Cells, 3, 5, {.numbers = targets});
  }
  SUBCASE("a picture without any class") {
    const std::vector<std::int32_t> targets{-1, -1};
    check_gradient(Objective::Cells, 2, 4, {.numbers = targets});
  }
}

TEST_SUITE_END();

}  // namespace
}  // namespace oa
