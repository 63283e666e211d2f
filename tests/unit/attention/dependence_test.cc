#include "oa/attention/dependence.h"

#include "oa/attention/kind_spec.h"
#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;
using attention::Pattern;

namespace {

/// The dependence of the kind `text`, for 9 tokens, a picture of 3 by 3.
Pattern dependence_of(const std::string& text, bool causal = false) {
  const attention::KindSpec spec = attention::parse_kind_specs(text, "test").front();
  attention::Site site;
  site.tokens = 9;
  site.grid_cols = 3;
  site.width = site.dim = 8;
  site.causal = causal;
  site.options = spec.options;
  parts::Layout layout;
  const auto layer = spec.kind->declare(site, layout);
  parts::Values values(layout);
  parts::initialize(layout, Rng(1), values);
  parts::Weights weights(layout);
  weights.set(values);
  num::Matrix x(site.tokens, site.width);
  Rng rng(2);
  for (int i = 0; i < x.rows(); ++i) {
    for (int j = 0; j < x.cols(); ++j) {
      x(i, j) = static_cast<float>(rng.normal());
    }
  }
  return attention::dependence(*layer, weights, x, site.dim);
}

void check_same(const Pattern& found, const Pattern& expected) {
  for (int q = 0; q < expected.queries(); ++q) {
    for (int k = 0; k < expected.keys(); ++k) {
      CAPTURE(q);
      CAPTURE(k);
      CHECK(found.allows(q, k) == expected.allows(q, k));
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("outputs depend on the tokens that a kind lets them see") {
  check_same(dependence_of("softmax"), Pattern::all(9, 9));
  check_same(dependence_of("linear"), Pattern::all(9, 9));
  check_same(dependence_of("mlp:hidden=2"), Pattern::band(9, 9, 0, 0));
  check_same(dependence_of("window:radius=2"), Pattern::band(9, 9, 2, 2));
  check_same(dependence_of("softmax", true), Pattern::causal(9));
  check_same(dependence_of("mamba", true), Pattern::causal(9));
}

TEST_CASE("a picture's neighbours, and choices that depend on the data") {
  const Pattern pool = dependence_of("pool");
  CHECK(pool.degree(4) == 9);
  CHECK(pool.degree(0) == 4);
  CHECK(pool.degree(1) == 6);
  const Pattern best = dependence_of("topk:k=2");
  for (int q = 0; q < 9; ++q) {
    // Its own token is in its query, too.
    CHECK(best.degree(q) >= 2);
    CHECK(best.degree(q) <= 3);
  }
}
