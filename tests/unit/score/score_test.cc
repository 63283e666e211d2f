#include "oa/score/score.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa::score;

namespace {

Prediction prediction(std::int64_t index,
                      std::optional<std::int64_t> label,
                      std::vector<double> probabilities) {
  Prediction p;
  p.index = index;
  p.label = label;
  p.probabilities = std::move(probabilities);
  for (std::size_t k = 1; k < p.probabilities.size(); ++k) {
    if (p.probabilities[k] > p.probabilities[static_cast<std::size_t>(p.predicted)]) {
      p.predicted = static_cast<std::int64_t>(k);
    }
  }
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("score");

TEST_CASE("a share has Wilson's interval") {
  // R: prop.test(8, 10, correct = FALSE)$conf.int
  const Share share{8, 10};
  CHECK(share.value() == 0.8);
  CHECK(share.low() == doctest::Approx(0.4901625).epsilon(1e-6));
  CHECK(share.high() == doctest::Approx(0.9433178).epsilon(1e-6));
  CHECK(Share{0, 5}.low() == 0.0);
  CHECK(Share{0, 3}.low() == 0.0);
  CHECK(Share{3, 3}.high() == 1.0);
  CHECK(Share{0, 5}.high() > 0.0);
  CHECK(Share{5, 5}.high() == 1.0);
  CHECK(std::isnan(Share{0, 0}.value()));
}

TEST_CASE("accuracy counts by class, by rank and by confusion") {
  Accuracy a;
  a.add(prediction(0, 0, {0.7, 0.2, 0.1}));
  a.add(prediction(1, 1, {0.5, 0.3, 0.2}));  // second choice is right
  a.add(prediction(2, 2, {0.5, 0.3, 0.2}));  // third
  a.add(prediction(3, std::nullopt, {0.0, 0.0, 1.0}));
  CHECK(a.images() == 4);
  CHECK(a.classes() == 3);
  CHECK(a.overall().count == 1);
  CHECK(a.overall().total == 3);
  CHECK(a.within(1).count == 1);
  CHECK(a.within(2).count == 2);
  CHECK(a.within(3).count == 3);
  CHECK(a.of_class(0).count == 1);
  CHECK(a.of_class(1).count == 0);
  CHECK(a.confusion(1, 0) == 1);
  CHECK(a.confusion(2, 2) == 0);
  CHECK(a.mean_confidence() == doctest::Approx((0.7 + 0.5 + 0.5 + 1.0) / 4));
}

TEST_CASE("a label beyond the classes of the model counts as wrong") {
  Accuracy a;
  a.add(prediction(0, 7, {0.7, 0.3}));
  CHECK(a.overall().total == 1);
  CHECK(a.overall().count == 0);
  CHECK(a.within(2).count == 0);
}

TEST_CASE("quartiles are those of numpy") {
  // numpy.quantile([7, 1, 3, 10], [.25, .5, .75])
  const Quartiles q = quartiles({7, 1, 3, 10});
  CHECK(q.low == doctest::Approx(2.5));
  CHECK(q.median == doctest::Approx(5.0));
  CHECK(q.high == doctest::Approx(7.75));
  CHECK(quartiles({4}).low == 4.0);
  CHECK(std::isnan(quartiles({}).median));
}

TEST_CASE("McNemar's exact test gives binomial tails") {
  CHECK(mcnemar(0, 0) == 1.0);
  CHECK(mcnemar(3, 3) == 1.0);
  CHECK(mcnemar(1, 0) == doctest::Approx(1.0));
  CHECK(mcnemar(10, 0) == doctest::Approx(2.0 / 1024));
  CHECK(mcnemar(2, 8) == doctest::Approx(2.0 * (1 + 10 + 45) / 1024));
  CHECK(mcnemar(2, 8) == mcnemar(8, 2));
  CHECK(mcnemar(0, 4000) >= 0.0);
}

TEST_CASE("runs are compared over the images they share") {
  const std::vector<ImageResult> a{{prediction(1, 0, {0.9, 0.1})},
                                   {prediction(2, 1, {0.8, 0.2})},
                                   {prediction(3, 1, {0.4, 0.6})},
                                   {prediction(9, 1, {0.4, 0.6})}};
  const std::vector<ImageResult> b{{prediction(3, 1, {0.6, 0.4})},
                                   {prediction(2, 1, {0.3, 0.7})},
                                   {prediction(1, 0, {0.6, 0.4})}};
  const Comparison c = compare(a, b);
  CHECK(c.images == 3);
  CHECK(c.only_a == 1);
  CHECK(c.only_b == 0);
  CHECK(c.agree == 1);
  CHECK(c.right_a == 2);
  CHECK(c.right_b == 2);
  CHECK(c.a_not_b == 1);
  CHECK(c.b_not_a == 1);
  REQUIRE(c.confidence_a.size() == 2);
  CHECK(c.confidence_a[0].median == doctest::Approx(0.9));
  CHECK(c.confidence_a[1].median == doctest::Approx(0.4));
  CHECK(c.confidence_b[1].median == doctest::Approx(0.55));
  CHECK(c.energy.images == 0);
  CHECK(c.accuracy_difference() == 0.0);
}

TEST_CASE("energies are compared where both runs solved the same problems") {
  const auto one = prediction(1, 0, {0.9, 0.1});
  const auto two = prediction(2, 0, {0.9, 0.1});
  const auto three = prediction(3, 0, {0.9, 0.1});
  const std::vector<ImageResult> a{
      {one, {7, {-1.0, -2.0, -3.0, -4.0}}}, {two, {8, {-9.0}}}, {three}};
  const std::vector<ImageResult> b{
      {one, {7, {-1.0, -2.5, -1.0, -4.0}}}, {two, {9, {-1.0}}}, {three, {7, {-5.0}}}};
  const EnergyGaps e = compare(a, b).energy;
  CHECK(e.images == 2);
  CHECK(e.other == 1);
  CHECK(e.problems == 4);
  CHECK(e.equal == 2);
  CHECK(e.lower_a == 1);
  CHECK(e.lower_b == 1);
  CHECK(e.most_a == 2.0);
  CHECK(e.most_b == 0.5);
  CHECK(e.sum == -1.5);
  CHECK(e.distance() == doctest::Approx(-1.5 / 8.5));
}

TEST_SUITE_END();
