#include "oa/model/architecture.h"

#include "oa/model/network.h"
#include "ref/kinds/layer_reference.h"
#include "ref/model_cases.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace {

using namespace oa;
using model::Architecture;
using model::Config;

}  // namespace

TEST_SUITE_BEGIN("model");

TEST_CASE("a network takes exactly the memory of its architecture") {
  std::vector<test::ModelCase> cases = test::model_cases();
  for (const attention::Kind* kind : attention::all_kinds()) {
    Config c = test::rich();  // tokens are as wide as the output of attention
    c.attention = test::usable_spec(*kind, c.tokens());
    cases.push_back({c.attention, c});
    c.layers = 2;
    cases.push_back({c.attention + " twice", c});
  }
  for (const test::ModelCase& c : cases) {
    for (const auto backward : {attention::Backward::Smoothed,
                                attention::Backward::Implicit,
                                attention::Backward::Unrolled,
                                attention::Backward::None}) {
      CAPTURE(c.name);
      CAPTURE(static_cast<int>(backward));
      attention::SolverSettings solver;
      solver.backward = backward;
      const Architecture declared(c.config, solver);
      const parts::Cost cost = declared.cost();
      CHECK(cost.parameters == declared.layout.parameter_count());

      Arena arena(cost.workspace);
      const Architecture::Workspace made = declared.workspace(c.config.tokens(), arena);
      CHECK(arena.high_water() == cost.workspace);
      CHECK_THROWS_AS((void)arena.allocate(1), std::bad_alloc);

      model::Network network(c.config, solver);
      parts::Weights weights(declared.layout);
      parts::Values values(declared.layout);
      parts::initialize(declared.layout, Rng(1), values);
      weights.set(values);
      const std::vector<float> image(
          static_cast<std::size_t>(c.config.rows * c.config.cols), 0.5F);
      num::Matrix dscores(1, c.config.classes);
      (void)network.forward(weights, image);
      network.backward(weights, dscores, values);
      CHECK(network.memory() == cost.workspace);
    }
  }
}

// All kinds' costs of the forward pass: attention/conformance_test.cc.
TEST_CASE("the backward pass of a layer costs what its formula says") {
  const Config c = test::small();  // 9 tokens and queries of 16, values of 20 floats
  REQUIRE(c.tokens() == 9);
  const std::int64_t map = 2 * 9 * 16 * 20;
  const std::int64_t product = 2 * 9 * 9 * 20;
  const std::map<std::string, std::int64_t> expected{
      {"optimizing", 4 * map + 5 * product},
      {"softmax", 6 * map + 4 * product},
      {"uniform", 2 * map},
      {"mlp", 2 * map},
      {"query", 2 * map}};
  REQUIRE(expected.size() == test::kinds_of_plain_model().size());
  for (const auto& [name, backward] : expected) {
    CAPTURE(name);
    Config of_kind = c;
    of_kind.attention = name;
    const Architecture architecture(of_kind);
    CHECK(
        architecture.layers[0].attention->cost(attention::Batch::of_one(9)).backward ==
        backward);
  }
}

TEST_CASE("no two tensors of a model have the same name, whatever its parts") {
  for (const attention::Kind* kind : attention::all_kinds()) {
    CAPTURE(kind->name);
    Config c = test::small();
    c.dim = 16;  // tokens as wide as layers, which residuals need
    c.layers = 3;
    c.residual = true;
    c.attention = test::usable_spec(*kind, c.tokens());
    const Architecture architecture(c);
    std::set<std::string> names;
    for (const parts::Tensor& tensor : architecture.layout.tensors()) {
      CHECK(names.insert(tensor.name).second);
    }
  }
  parts::Layout layout;
  (void)layout.declare("w", {2}, parts::constant(0.0));
  CHECK_THROWS_AS((void)layout.declare("w", {3}, parts::constant(0.0)),
                  std::logic_error);
}

TEST_CASE("the reference's architecture has 4,026 parameters") {
  const parts::Cost cost = Architecture(Config{}).cost();
  CHECK(cost.parameters == 4026);
  CHECK(cost.forward == 1'123'968);
  CHECK(cost.backward == 1'940'608);
}

TEST_CASE("every part of a model counts") {
  const std::int64_t into_token = 2 * 9 * 36 * 20;  // patches of 36 pixels
  const std::int64_t embedding = into_token + 2 * 9 * 20 * 20;
  const std::int64_t map = 2 * 9 * 20 * 20;
  const std::int64_t product = 2 * 9 * 9 * 20;
  const std::int64_t token_mlp = 2 * (2 * 9 * 20 * 24);
  const std::int64_t head = 2 * 20 * 18 + 2 * 18 * 7;
  const parts::Cost one = Architecture(test::rich()).cost();
  CHECK(one.forward == embedding + 2 * map + 3 * product + token_mlp + head);
  // Nothing is learned before the embedding's first map.
  CHECK(one.backward ==
        2 * embedding - into_token + 4 * map + 5 * product + 2 * token_mlp + 2 * head);

  Config c = test::rich();
  c.layers = 2;
  const parts::Cost two = Architecture(c).cost();
  CHECK(two.forward - one.forward == 2 * map + 3 * product + token_mlp);
  CHECK(two.backward - one.backward == 4 * map + 5 * product + 2 * token_mlp);

  c = test::rich();
  c.patch_norm = true;
  CHECK(Architecture(c).cost().backward - one.backward == into_token);
}

TEST_CASE("a model too large for any memory can be declared") {
  Config c;
  c.rows = c.cols = 1 << 13;
  c.window = c.stride = 4;  // 4 Mi tokens, 16 Ti pairs
  const Architecture architecture(c);
  CHECK(architecture.cost().parameters == 4026 + ((1 << 22) - 49) * 16);
  CHECK(architecture.cost().workspace > std::size_t{1} << 48);
}

TEST_SUITE_END();
