#include "oa/attention/kernel/heads.h"
#include "oa/attention/kind.h"
#include "oa/attention/kind_spec.h"
#include "oa/num/gram.h"
#include "oa/num/rows.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <string>
#include <tuple>

using namespace oa;

namespace {

constexpr int kManyTokens = 260;  // J has low rank
constexpr int kNarrow = 16;

/// Optimising attention with an exact gradient: that of the box QP, where few
/// coefficients are not 0, or with keys that of the mean field.
attention::Site many_tokens(const std::string& options, bool causal) {
  attention::Site site;
  site.tokens = kManyTokens;
  site.width = site.dim = kNarrow;
  site.options =
      attention::parse_kind_specs("optimizing" + options, "test").front().options;
  site.causal = causal;
  site.coefficients = Coefficients::Continuous;
  site.value_scale = kManyTokens;
  site.lambda = 24.0 * kManyTokens;
  site.divide_output = false;
  site.normalization = attention::Normalization::None;
  site.solver.backward = attention::Backward::Implicit;
  return site;
}

test::DrawnAttention drawn_attention(const attention::Site& site) {
  return {*attention::find_kind("optimizing"), site, 1, kManyTokens};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("gradients through a low-rank J agree with differences") {
  REQUIRE(num::Gram::is_low_rank(kManyTokens, kNarrow));
  for (const auto& [options, causal, error] :
       {std::tuple(std::string(), false, 0.003),
        std::tuple(std::string(), true, 0.003),
        std::tuple(std::string(":keys=own,heads=2"), false, 0.02)}) {
    CAPTURE(options);
    CAPTURE(causal);
    test::DrawnAttention tried = drawn_attention(many_tokens(options, causal));
    if (!causal) {
      tried.attention->set_stage({.relaxed = true, .temperature = 0.5F});
    }
    const num::Matrix x = test::drawn_matrix(kManyTokens, kNarrow, 2);
    const num::Matrix d_o = test::drawn_matrix(kManyTokens, kNarrow, 3);
    const auto along = [&](const num::Matrix& direction, float step) {
      num::Matrix moved = x;
      for (int i = 0; i < moved.rows(); ++i) {
        for (int k = 0; k < moved.cols(); ++k) {
          moved(i, k) += step * direction(i, k);
        }
      }
      return num::dot(tried.forward(moved), d_o);
    };
    for (const std::uint64_t seed : {4, 5, 6, 7, 8, 9, 10, 11, 12}) {
      const num::Matrix direction = test::drawn_matrix(kManyTokens, kNarrow, seed);
      constexpr float kStep = 1e-3F;
      const double expected = (along(direction, kStep) - along(direction, -kStep)) /
                              (2.0 * static_cast<double>(kStep));
      (void)tried.forward(x);
      parts::Values gradient(tried.layout);
      const num::Matrix dx = tried.backward(x, d_o, gradient);
      CHECK(num::dot(dx, dx) > 1.0);
      CHECK(num::dot(dx, direction) ==
            doctest::Approx(expected).epsilon(error).scale(0.5));
    }
  }
}

TEST_CASE("decoding without J agrees with the parallel form") {
  for (const Coefficients kind : {Coefficients::Continuous, Coefficients::Binary}) {
    for (const std::string& options : {std::string("keys=own,heads=2"),
                                       std::string("keys=own,heads=2,unit=false"),
                                       std::string("keys=shared,heads=2"),
                                       std::string("keys=separate,heads=1,penalty=-1"),
                                       std::string("keys=separate,heads=2,alpha=0"),
                                       std::string("keys=paper")}) {
      CAPTURE(options);
      CAPTURE(static_cast<int>(kind));
      if (kind == Coefficients::Binary && options.ends_with("unit=false")) {
        continue;  // long keys leave coefficients so near 1/2 that rounding decides
      }
      attention::Site site = many_tokens(":" + options, true);
      site.coefficients = kind;
      site.lambda = kManyTokens;
      site.value_scale = 0.25 * kManyTokens;
      test::DrawnAttention tried = drawn_attention(site);
      Arena scratch(std::size_t{1} << 24);
      Arena state(std::size_t{1} << 24);
      const auto decoder =
          tried.layer->make_decoder(kManyTokens, {.kept = state, .scratch = scratch});
      CHECK(state.high_water() < 4U * kManyTokens * kManyTokens);  // J alone
      const num::Matrix x = test::drawn_matrix(kManyTokens, kNarrow, 2);
      const num::Matrix expected = tried.forward(x);
      for (int time = 0; time < 2; ++time) {
        const num::Matrix o = test::decoded(*decoder, tried.weights, x, kNarrow);
        const double largest =
            test::largest_difference(expected, num::Matrix(kManyTokens, kNarrow));
        CHECK(largest > 0.1);
        CAPTURE(largest);
        CHECK(test::largest_difference(o, expected) < 1e-3 * largest);
        decoder->restart();
      }
    }
  }
}

TEST_SUITE_END();
