#include "oa/model/network.h"

#include "oa/attention/coefficients.h"
#include "oa/base/error.h"
#include "oa/num/rows.h"
#include "oa/train/loss.h"
#include "ref/model_cases.h"
#include "ref/plain_model.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using namespace oa;
using model::Config;
using test::rich;
using test::small;

model::Model drawn(const Config& config, std::uint64_t seed) {
  check(config, "test");
  model::Model m(config);
  parts::initialize(m.layout, Rng(seed), m.values);
  return m;
}

std::vector<float> picture(const Config& config, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> image(static_cast<std::size_t>(config.rows * config.cols));
  for (float& pixel : image) {
    pixel = static_cast<float>(rng.uniform(-1.0, 1.0));
  }
  return image;
}

attention::SolverSettings exact_gradients() {
  attention::SolverSettings s;
  s.backward = attention::Backward::Implicit;
  s.admm_iterations = 2000;
  return s;
}

}  // namespace

TEST_SUITE_BEGIN("model");

TEST_CASE("the network computes the formulas") {
  for (const test::ModelCase& c : test::model_cases()) {
    CAPTURE(c.name);
    const model::Model m = drawn(c.config, 11);
    parts::Weights weights(m.layout);
    weights.set(m.values);
    model::Network network(c.config, exact_gradients());
    const auto image = picture(c.config, 4);
    const auto fast = model::first_row(network.forward(weights, image));
    const auto slow = test::PlainModel(m).scores(image);
    REQUIRE(fast.size() == slow.size());
    for (std::size_t k = 0; k < slow.size(); ++k) {
      // Float against double, through a QP whose conditioning costs two digits.
      CHECK(static_cast<double>(fast[k]) == doctest::Approx(slow[k]).epsilon(2e-4));
    }
  }
}

TEST_CASE("gradients agree with central differences in double") {
  for (const test::ModelCase& c : test::model_cases()) {
    CAPTURE(c.name);
    const model::Model m = drawn(c.config, 12);
    parts::Weights weights(m.layout);
    weights.set(m.values);
    model::Network network(c.config, exact_gradients());
    const auto image = picture(c.config, 5);
    num::Matrix dscores(1, c.config.classes);
    (void)train::loss_of(Objective::Class,
                         network.forward(weights, image),
                         {.label = 2, .numbers = {}},
                         {},
                         dscores);
    parts::Values gradient(m.layout);
    network.backward(weights, dscores, gradient);

    test::PlainModel slow(m);
    Rng rng(6);
    for (int k = 0; k < static_cast<int>(std::ssize(m.layout.tensors())); ++k) {
      const parts::Tensor& tensor = m.layout[k];
      CAPTURE(tensor.name);
      double wrong = 0.0;
      double size = 0.0;
      for (int draw = 0; draw < 6; ++draw) {
        const int i = test::below(rng, tensor.used_rows);
        const int j = test::below(rng, tensor.cols);
        double& p = slow.parameter(k, i, j);
        const double before = p;
        constexpr double kStep = 1e-6;
        p = before + kStep;
        const double above = slow.loss(image, 2);
        p = before - kStep;
        const double below = slow.loss(image, 2);
        p = before;
        const double difference = (above - below) / (2.0 * kStep);
        const auto found = static_cast<double>(gradient.matrix(k)(i, j));
        wrong += (found - difference) * (found - difference);
        size += difference * difference;
      }
      // Float gradients: 1e-3 of their size, or nothing where there is nothing.
      CHECK(std::sqrt(wrong) < 1e-3 * std::sqrt(size) + 1e-6);
    }
  }
}

TEST_CASE("random tokens replace a share of all and take no gradient") {
  const Config c = rich();
  const model::Model m = drawn(c, 3);
  parts::Weights weights(m.layout);
  weights.set(m.values);
  model::Network network(c);
  const auto image = picture(c, 9);
  const auto scores = [&](float share, std::uint64_t seed) {
    const auto s = model::first_row(
        network.forward(weights, image, model::TrainingNoise{share, Rng(seed)}));
    return std::vector<float>(s.begin(), s.end());
  };
  const auto plain = scores(0.0F, 1);
  CHECK(scores(0.0F, 2) == plain);
  CHECK(scores(0.3F, 1) != plain);
  CHECK(scores(0.3F, 1) == scores(0.3F, 1));
  CHECK(scores(0.3F, 1) != scores(0.3F, 2));
  // All replaced: the scores say nothing of the image, nor of its embedding.
  const auto all = scores(1.0F, 1);
  parts::Values gradient(m.layout);
  num::Matrix dscores(1, c.classes);
  num::fill(dscores, 1.0F);
  network.backward(weights, dscores, gradient);
  for (std::size_t k = 0; k < m.layout.tensors().size(); ++k) {
    const std::string& name = m.layout.tensors()[k].name;
    if (name.starts_with("embedding") || name == "pos_embedding") {
      const auto g = gradient.matrix(static_cast<int>(k));
      for (int i = 0; i < g.rows; ++i) {
        CHECK(std::all_of(
            g.row(i), g.row(i) + g.cols, [](float v) { return v == 0.0F; }));
      }
    }
  }
}

TEST_CASE("problem, coefficients and readout in steps make the same scores") {
  Config c = rich();
  c.coefficients = Coefficients::Binary;
  const model::Model m = drawn(c, 3);
  parts::Weights weights(m.layout);
  weights.set(m.values);
  model::Network network(c);
  const auto image = picture(c, 9);
  const auto whole = model::first_row(network.forward(weights, image));
  const std::vector<float> expected(whole.begin(), whole.end());

  Arena arena(1U << 20);
  attention::Site site;
  site.learned_queries = c.queries;
  attention::CoefficientLayer layer(
      site, c.tokens(), {.kept = arena, .scratch = arena});
  num::Matrix x(c.query_count(), c.tokens());
  num::Matrix o(c.query_count(), c.dim);
  network.begin(weights, image);
  const attention::Problem& p = network.pose(weights, 0).front();
  model::aggregate(c, layer.forward({p.j}, p.h, x), p.v, p.output_scale, o);
  parts::Layout layout;
  const model::Readout readout(c, layout);
  const model::Readout::Workspace workspace = readout.workspace(c.query_count(), arena);
  parts::Values values(layout);
  for (std::size_t k = 0, at = 0; k < layout.tensors().size(); ++k) {
    while (m.layout.tensors()[at].name != layout.tensors()[k].name) {
      ++at;
    }
    const auto from = m.values.matrix(static_cast<int>(at));
    const auto to = values.matrix(static_cast<int>(k));
    std::copy_n(from.data, from.rows * from.stride, to.data);
  }
  parts::Weights rest(layout);
  rest.set(values);
  const auto steps = model::first_row(readout.forward(rest, o, workspace));
  CHECK(std::vector<float>(steps.begin(), steps.end()) == expected);
}

TEST_CASE("the grid of the training is reproduced by its own stride") {
  Config c = small();
  c.rows = c.cols = 28;
  const model::Model m = drawn(c, 8);
  const model::Model same = with_stride(m, 4);
  CHECK(std::ranges::equal(same.values.flat(), m.values.flat()));
  const model::Model fine = with_stride(m, 2);
  CHECK(fine.config.tokens() == 169);
  const int positions = 2;  // after the two tensors of the patch normalisation
  REQUIRE(fine.layout[positions].name == "pos_embedding");
  CHECK(fine.values.matrix(positions)(2, 3) == m.values.matrix(positions)(1, 3));
  CHECK(fine.values.matrix(positions)(1, 3) ==
        doctest::Approx(0.5F * (m.values.matrix(positions)(0, 3) +
                                m.values.matrix(positions)(1, 3))));
  CHECK_THROWS_AS((void)with_stride(m, 5), InputError);
}

TEST_SUITE_END();
