#include "oa/attention/kind.h"
#include "oa/attention/kind_spec.h"
#include "survey/kernel/fused/fused.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

using namespace oa;

namespace {

attention::Site flash_site(const std::string& precision) {
  attention::Site site;
  site.tokens = 80;
  site.width = 64;
  site.dim = 64;
  site.options = {{"precision", precision}, {"heads", "2"}};
  return site;
}

num::Matrix flash_output(const std::string& precision, bool backward) {
  const attention::Site site = flash_site(precision);
  test::DrawnAttention flash(
      *attention::find_kind("flash2"), site, 7, site.tokens, backward);
  return flash.forward(test::drawn_matrix(site.tokens, site.width, 8));
}

double relative_difference(num::ConstView a, num::ConstView b) {
  double difference = 0.0;
  double size = 0.0;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) {
      difference += std::pow(static_cast<double>(a(i, j) - b(i, j)), 2);
      size += std::pow(static_cast<double>(b(i, j)), 2);
    }
  }
  return std::sqrt(difference / size);
}

/// The rows of 70 tokens, one after the other, and what is kept for them.
num::Matrix decoded(const attention::Kind& kind,
                    const attention::OptionTexts& options,
                    std::size_t& bytes) {
  constexpr int kTokens = 70;
  attention::Site site = flash_site("float");
  site.options = options;
  site.causal = true;
  const test::DrawnLayer drawn(kind, site, 3);
  Arena kept(1U << 20U);
  Arena scratch(1U << 20U);
  const auto decoder = drawn.layer->make_decoder(
      kTokens, {.kept = kept, .scratch = scratch, .backward = false});
  bytes = kept.high_water();
  return test::decoded(
      *decoder, drawn.weights, test::drawn_matrix(kTokens, site.width, 5), site.dim);
}

}  // namespace

TEST_CASE("flash2 predicts in other precisions, and trains in floats") {
  const num::Matrix exact = flash_output("float", false);
  for (const std::string precision : {"bf16", "int8"}) {
    CAPTURE(precision);
    CHECK(relative_difference(flash_output(precision, true), exact) == 0.0);
    const double error = relative_difference(flash_output(precision, false), exact);
    CHECK(error > 1e-5);
    CHECK(error < 2e-2);
  }
}

TEST_CASE("a cache in half precision decodes nearly the same from half of the bytes") {
  for (const std::string spec : {"flash2:heads=4", "mqa:heads=4", "gqa:heads=8"}) {
    CAPTURE(spec);
    std::size_t bytes[2] = {};
    num::Matrix rows[2];
    for (const std::string cache : {"float", "half"}) {
      const attention::KindSpec kind =
          attention::parse_kind_specs(spec + ",cache=" + cache, "test").front();
      const std::size_t at = cache == "half" ? 1 : 0;
      rows[at] = decoded(*kind.kind, kind.options, bytes[at]);
    }
    const double error = relative_difference(rows[1], rows[0]);
    CHECK(error > 0.0);
    CHECK(error < 1e-3);
    // Besides a row of floats, with which arenas' pieces are filled up.
    CHECK(bytes[1] < bytes[0] * 6 / 10);
  }
}

TEST_CASE("gqa has by default 1/4 as many groups as heads, at least 2") {
  const attention::Kind& kind = *attention::find_kind("gqa");
  for (const auto& [heads, groups] : {std::pair(1, 1),
                                      std::pair(2, 2),
                                      std::pair(4, 2),
                                      std::pair(8, 2),
                                      std::pair(12, 3),
                                      std::pair(14, 7),
                                      std::pair(32, 8)}) {
    CAPTURE(heads);
    attention::Site site;
    site.tokens = 4;
    site.width = 8;
    site.dim = heads * 2;
    site.options = {{"heads", std::to_string(heads)}, {"plain", "true"}};
    attention::check_site(kind, site, "test");
    parts::Layout layout;
    (void)kind.declare(site, layout);
    const auto k =
        std::ranges::find(layout.tensors(), "Wk.weight", &parts::Tensor::name);
    REQUIRE(k != layout.tensors().end());
    CHECK(k->rows == 2 * groups);
  }
}
