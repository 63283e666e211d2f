#include "survey/formula/masked.h"

#include "oa/attention/kind.h"
#include "oa/base/rng.h"
#include "ref/kinds/pattern_text.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace oa;

namespace {

constexpr int kOrderedTokens = 700;
constexpr int kOrderedWidth = 8;

/// The outputs and gradients of a layer for random tokens.
struct Passes {
  num::Matrix x = test::drawn_matrix(kOrderedTokens, kOrderedWidth, 2);
  num::Matrix o;
  std::vector<num::Matrix> weights;
  parts::Values gradient;
  num::Matrix dx;

  explicit Passes(test::DrawnAttention& drawn)
      : o(drawn.forward(x)),
        weights(drawn.attention->value_weights()),
        gradient(drawn.layout),
        dx(drawn.backward(
            x, test::drawn_matrix(kOrderedTokens, kOrderedWidth, 3), gradient)) {}
};

/// Compares attention by the layer of a kind over reordered tokens, and over tokens as
/// they come.
void check_orders(const std::string& kind,
                  const attention::OptionTexts& options,
                  const attention::Pattern& pattern,
                  bool causal) {
  CAPTURE(kind);
  CAPTURE(causal);
  attention::Site site;
  site.tokens = kOrderedTokens;
  site.width = site.dim = kOrderedWidth;
  site.causal = causal;
  site.options = options;
  site.options.insert({{"heads", "2"}, {"output", "true"}});
  test::DrawnAttention ordered(*attention::find_kind(kind), site, 1, kOrderedTokens);
  // Gathered pairs would have no blocks.
  REQUIRE(!ordered.attention->counts().empty());

  site.options = {
      {"heads", "2"}, {"output", "true"}, {"rows", test::pattern_text(pattern)}};
  test::DrawnAttention plain(*attention::find_kind("csr"), site, 1, kOrderedTokens);
  REQUIRE(plain.layout.parameter_count() == ordered.layout.parameter_count());

  const Passes one(ordered);
  const Passes other(plain);
  CHECK(test::largest_difference(one.o, other.o) < 1e-5);
  CHECK(test::largest_difference(one.dx, other.dx) < 1e-4);
  for (std::size_t i = 0; i < one.gradient.flat().size(); ++i) {
    CHECK(one.gradient.flat()[i] ==
          doctest::Approx(other.gradient.flat()[i]).epsilon(1e-3));
  }
  REQUIRE(one.weights.size() == 2);
  for (int head = 0; head < 2; ++head) {
    CHECK(test::largest_difference(one.weights[static_cast<std::size_t>(head)],
                                   other.weights[static_cast<std::size_t>(head)]) <
          1e-5);
  }
  if (causal) {
    Arena kept(std::size_t{1} << 24);
    Arena scratch(std::size_t{1} << 24);
    const auto decoder =
        ordered.layer->make_decoder(kOrderedTokens, {.kept = kept, .scratch = scratch});
    for (int time = 0; time < 2; ++time) {
      const num::Matrix rows =
          test::decoded(*decoder, ordered.weights, one.x, kOrderedWidth);
      CHECK(test::largest_difference(rows, other.o) < 1e-5);
      decoder->restart();
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("patterns of long sequences are the same in the order that pays") {
  for (const bool causal : {false, true}) {
    check_orders("strided",
                 {},
                 attention::strided_pattern(kOrderedTokens, 7, 1, causal),
                 causal);
    check_orders("strided",
                 {{"stride", "5"}, {"radius", "0"}},
                 attention::strided_pattern(kOrderedTokens, 5, 0, causal),
                 causal);
    check_orders("sparse-transformer",
                 {{"block", "9"}, {"summary", "2"}},
                 attention::sparse_fixed_pattern(kOrderedTokens, 9, 2, causal),
                 causal);
  }
}

TEST_CASE("an order is not made where its list would be longer") {
  attention::Site site;
  site.tokens = kOrderedTokens;
  site.width = site.dim = kOrderedWidth;
  // The first query of an order of tokens is that of the first token, and the second is
  // not that of the second.
  const auto second_query = [&](const attention::OptionTexts& options) {
    site.options = options;
    parts::Layout layout;
    const auto layer = attention::find_kind(options.empty() ? "flash2" : "strided")
                           ->declare(site, layout);
    parts::Values values(layout);
    parts::initialize(layout, Rng(1), values);
    parts::Weights parameters(layout);
    parameters.set(values);
    Arena arena(std::size_t{1} << 24);
    const auto made = layer->make(attention::Batch::of_one(kOrderedTokens),
                                  {.kept = arena, .scratch = arena});
    num::Matrix o(kOrderedTokens, kOrderedWidth);
    made->forward(parameters, test::drawn_matrix(kOrderedTokens, kOrderedWidth, 2), o);
    return made->queries()(1, 0);
  };
  const float in_time = second_query({});
  CHECK(second_query({{"stride", "7"}, {"radius", "1"}}) != in_time);
  // 241 runs a query instead of 4.
  CHECK(second_query({{"stride", "300"}, {"radius", "120"}}) == in_time);
}

TEST_CASE("an order pays where tiles become full") {
  const auto pays = [](int n, int stride, int radius, bool causal) {
    return attention::order_pays(
        attention::strided_by_class(n, stride, radius, causal).pattern, causal);
  };
  CHECK(pays(1024, 7, 1, false));
  CHECK(pays(1024, 7, 1, true));
  CHECK(pays(16384, 128, 1, false));
  CHECK_FALSE(pays(49, 7, 1, false));      // one tile has all
  CHECK_FALSE(pays(1024, 7, 400, false));  // as do all tiles
  CHECK_FALSE(pays(1024, 512, 1, false));  // few pairs anywhere
}

TEST_SUITE_END();
