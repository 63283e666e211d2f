#include "survey/bench/approximation.h"

#include <doctest/doctest.h>

using namespace oa;
using attention::Approximation;

TEST_SUITE_BEGIN("attention");

TEST_CASE("approximations become better with their sizes, where logits are small") {
  const auto all =
      attention::approximation_errors({.tokens = 64, .head_width = 8, .spread = 0.1});
  REQUIRE(all.size() > 3);
  for (std::size_t k = 1; k < all.size(); ++k) {
    CAPTURE(all[k].method);
    CAPTURE(all[k].size);
    if (all[k].method == all[k - 1].method) {
      CHECK(all[k].size > all[k - 1].size);
      CHECK(all[k].weights < all[k - 1].weights);
      CHECK(all[k].outputs < all[k - 1].outputs);
    }
  }
}

TEST_CASE("errors keep their bounds, and that of top-k is reached") {
  for (const double spread : {0.1, 1.0}) {
    for (const Approximation& one : attention::approximation_errors(
             {.tokens = 64, .head_width = 8, .spread = spread})) {
      CAPTURE(one.method);
      CAPTURE(one.size);
      if (one.method == "topk") {
        CHECK(one.weights == doctest::Approx(one.bound.value_or(-1.0)));
      } else if (one.bound) {
        CHECK(one.weights <= *one.bound);
      }
      CHECK(one.bound.has_value() ==
            (one.method == "topk" || one.method == "positive"));
    }
  }
}

TEST_CASE("as many keys or ranks as tokens lose nothing") {
  for (const Approximation& one :
       attention::approximation_errors({.tokens = 16, .head_width = 8})) {
    if ((one.method == "topk" || one.method == "rank") && one.size >= 16) {
      CAPTURE(one.method);
      CHECK(one.weights < 1e-9);
      CHECK(one.outputs < 1e-9);
    }
  }
}

TEST_SUITE_END();
