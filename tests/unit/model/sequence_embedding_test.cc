#include "oa/model/sequence_embedding.h"

#include "oa/base/index.h"
#include "oa/model/network.h"
#include "oa/train/loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace oa {
namespace {

/// A model of sequences, one sequence and its right answers.
struct SequenceCase {
  model::Config config;
  std::vector<std::int32_t> ids;
  std::vector<float> vectors;
  std::vector<std::int32_t> targets;
  int per_row = 1;
};

constexpr int kTokens = 6;

SequenceCase of_ids() {
  SequenceCase c;
  c.config.length = kTokens + 2;  // the sequence is shorter than those it may have
  c.config.vocabulary = 5;
  c.config.dim = 8;
  c.config.classes = 4;
  c.config.objective = Objective::Positions;
  c.config.divide_output = false;
  c.ids = {0, 4, 2, 2, -1, 1};
  c.targets = {-1, 3, -1, 0, 1, 2};
  return c;
}

/// Causal, two layers, positions, tokens that see the one before, residual.
SequenceCase deep() {
  SequenceCase c = of_ids();
  c.config.attention = "softmax:heads=2,plain=true,output=true";
  c.config.causal = c.config.previous = c.config.residual = true;
  c.config.layers = 2;
  c.config.token_mlp = 12;
  return c;
}

/// The last tokens ask; vectors come before the embedding of ids or pass an MLP.
SequenceCase asking(model::Embedding embedding) {
  SequenceCase c = of_ids();
  const bool mlp = embedding == model::Embedding::Mlp;
  c.config.attention = std::string("optimizing:keys=shared,output=true,plain=true,") +
                       (mlp ? "heads=2" : "unit=false,penalty=0.5");
  c.config.objective = Objective::Sets;
  c.config.embedding = embedding;
  c.config.positions = mlp;
  c.config.residual = mlp;
  c.config.vector_width = 3;
  c.config.asking = 2;
  Rng rng(3);
  for (int k = 0; k < 3 * kTokens; ++k) {
    c.vectors.push_back(static_cast<float>(rng.uniform(-1.0, 1.0)));
  }
  c.targets = {1, 3, 0, -1};
  c.per_row = 2;
  return c;
}

/// Learned queries read the sequence, which has one class.
SequenceCase queried() {
  SequenceCase c = of_ids();
  c.config.attention = "optimizing:keys=separate,plain=true,penalty=0.5";
  c.config.objective = Objective::Class;
  c.config.queries = 3;
  c.config.pooling = model::Pooling::Concat;
  c.config.token_mlp = 10;
  c.config.query_positions = true;
  return c;
}

model::Model drawn(const model::Config& config) {
  check(config, "test");
  model::Model m(config);
  parts::initialize(m.layout, Rng(11), m.values);
  return m;
}

/// A network of a case, where coefficients are those of the relaxation, so that the
/// loss is smooth.
struct Running {
  explicit Running(const SequenceCase& c) : of(c), network(c.config) {
    network.set_stage({.relaxed = true, .temperature = 0.7F});
  }

  double loss(const parts::Layout& layout,
              const parts::Values& values,
              parts::Values* gradient) {
    parts::Weights weights(layout);
    weights.set(values);
    const auto scores =
        network.forward(weights, model::Input(of.ids, of.vectors, kTokens));
    num::Matrix dscores(scores.rows, scores.cols);
    const double loss =
        train::loss_of(of.config.objective,
                       scores,
                       {.label = 2, .numbers = of.targets, .per_row = of.per_row},
                       {},
                       dscores);
    if (gradient != nullptr) {
      network.backward(weights, dscores, *gradient);
    }
    return loss;
  }

  const SequenceCase& of;
  model::Network network;
};

/// Differences along random directions through each tensor.
void check_gradients(const SequenceCase& c) {
  const model::Model m = drawn(c.config);
  Running running(c);
  parts::Values gradient(m.layout);
  (void)running.loss(m.layout, m.values, &gradient);
  constexpr double kStep = 2e-3;
  Rng rng(5);
  for (int t = 0; t < static_cast<int>(std::ssize(m.layout.tensors())); ++t) {
    const parts::Tensor& tensor = m.layout[t];
    CAPTURE(tensor.name);
    for (int draw = 0; draw < 3; ++draw) {
      parts::Values above = m.values;
      parts::Values below = m.values;
      double expected = 0.0;
      double square = 0.0;
      for (int i = 0; i < tensor.used_rows; ++i) {
        for (int k = 0; k < tensor.cols; ++k) {
          const float step = static_cast<float>(rng.below(2) == 0 ? kStep : -kStep);
          above.matrix(t)(i, k) += step;
          below.matrix(t)(i, k) -= step;
          const auto g = static_cast<double>(gradient.matrix(t)(i, k));
          expected += g * static_cast<double>(step) / kStep;
          square += g * g;
        }
      }
      const double found = (running.loss(m.layout, above, nullptr) -
                            running.loss(m.layout, below, nullptr)) /
                           (2.0 * kStep);
      // A loss of floats is exact to 1e-6 or so, a difference to 1e-3 of the gradient.
      CHECK(std::abs(found - expected) < 0.02 * std::sqrt(square) + 1e-3);
    }
  }
}

TEST_SUITE_BEGIN("model");

TEST_CASE("gradients of models of sequences agree with differences") {
  SUBCASE("two causal layers, positions and the token before") {
    check_gradients(deep());
  }
  SUBCASE("tokens that ask, vectors as they are") {
    check_gradients(asking(model::Embedding::Linear));
  }
  SUBCASE("tokens that ask, vectors through an MLP") {
    check_gradients(asking(model::Embedding::Mlp));
  }
  SUBCASE("learned queries") {
    check_gradients(queried());
  }
}

TEST_CASE("a causal model's output for a token does not depend on later tokens") {
  SequenceCase c = deep();
  const model::Model m = drawn(c.config);
  parts::Weights weights(m.layout);
  weights.set(m.values);
  model::Network network(c.config);
  const auto score = [&](int token) {
    return network.forward(weights, model::Input(c.ids, c.vectors, kTokens))(token, 1);
  };
  const float before = score(3);
  const float last = score(5);
  c.ids[4] = 3;
  CHECK(score(3) == before);
  CHECK(score(5) != last);
}

TEST_CASE("a model without positions takes longer sequences than it was made for") {
  SequenceCase c = deep();
  c.config.positions = false;
  c.config.length = 2;
  const model::Model m = drawn(c.config);
  parts::Weights weights(m.layout);
  weights.set(m.values);
  model::Network network(c.config);
  const auto scores = network.forward(weights, model::Input(c.ids, c.vectors, kTokens));
  CHECK(scores.rows == kTokens);
  c.config.length = kTokens;
  model::Network longer(c.config);
  const auto same = longer.forward(weights, model::Input(c.ids, c.vectors, kTokens));
  for (int i = 0; i < kTokens; ++i) {
    CHECK(scores(i, 0) == same(i, 0));
  }
}

TEST_SUITE_END();

}  // namespace
}  // namespace oa
