#include "oa/attention/kernel/heads.h"
#include "oa/attention/kind.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/rng.h"
#include "oa/num/gram.h"
#include "oa/num/rows.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>

using namespace oa;

namespace {

constexpr int kManyTokens = 260;  // J has low rank
constexpr int kNarrow = 16;

/// Optimising attention with an exact gradient: that of the box QP, where few
/// coefficients are not 0, or with keys that of the mean field.
struct ManyTokens {
  attention::Site site;
  parts::Layout layout;
  std::unique_ptr<const attention::Layer> layer;
  std::unique_ptr<parts::Weights> weights;
  Arena kept{std::size_t{1} << 24};
  Arena scratch{std::size_t{1} << 24};
  std::unique_ptr<attention::Attention> attention;

  explicit ManyTokens(const std::string& options, bool causal = false) {
    const attention::KindSpec spec =
        attention::parse_kind_specs("optimizing" + options, "test").front();
    site.tokens = kManyTokens;
    site.width = site.dim = kNarrow;
    site.options = spec.options;
    site.causal = causal;
    site.coefficients = Coefficients::Continuous;
    site.value_scale = kManyTokens;
    site.lambda = 24.0 * kManyTokens;
    site.divide_output = false;
    site.normalization = attention::Normalization::None;
    site.solver.backward = attention::Backward::Implicit;
    layer = spec.kind->declare(site, layout);
    parts::Values values(layout);
    parts::initialize(layout, Rng(1), values);
    weights = std::make_unique<parts::Weights>(layout);
    weights->set(values);
    attention = layer->make(attention::Batch::of_one(kManyTokens),
                            {.kept = kept, .scratch = scratch});
    if (!causal) {
      attention->set_stage({.relaxed = true, .temperature = 0.5F});
    }
  }
};

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
    ManyTokens tried(options, causal);
    const num::Matrix x = test::drawn_matrix(kManyTokens, kNarrow, 2);
    const num::Matrix d_o = test::drawn_matrix(kManyTokens, kNarrow, 3);
    const auto along = [&](const num::Matrix& direction, float step) {
      num::Matrix moved = x;
      for (int i = 0; i < moved.rows(); ++i) {
        for (int k = 0; k < moved.cols(); ++k) {
          moved(i, k) += step * direction(i, k);
        }
      }
      num::Matrix o(kManyTokens, kNarrow);
      tried.attention->forward(*tried.weights, moved, o);
      return num::dot(o, d_o);
    };
    for (const std::uint64_t seed : {4, 5, 6, 7, 8, 9, 10, 11, 12}) {
      const num::Matrix direction = test::drawn_matrix(kManyTokens, kNarrow, seed);
      constexpr float kStep = 1e-3F;
      const double expected = (along(direction, kStep) - along(direction, -kStep)) /
                              (2.0 * static_cast<double>(kStep));
      num::Matrix o(kManyTokens, kNarrow);
      tried.attention->forward(*tried.weights, x, o);
      num::Matrix dx(kManyTokens, kNarrow);
      parts::Values gradient(tried.layout);
      tried.attention->backward(*tried.weights, x, d_o, dx, gradient);
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
      ManyTokens tried(":" + options, true);
      tried.site.coefficients = kind;
      tried.site.lambda = kManyTokens;
      tried.site.value_scale = 0.25 * kManyTokens;
      parts::Layout layout;
      const auto layer =
          attention::find_kind("optimizing")->declare(tried.site, layout);
      Arena scratch(std::size_t{1} << 24);
      Arena kept(std::size_t{1} << 24);
      const attention::Resources resources{.kept = kept, .scratch = scratch};
      const auto parallel =
          layer->make(attention::Batch::of_one(kManyTokens), resources);
      Arena state(std::size_t{1} << 24);
      const auto decoder =
          layer->make_decoder(kManyTokens, {.kept = state, .scratch = scratch});
      CHECK(state.high_water() < 4U * kManyTokens * kManyTokens);  // J alone
      const num::Matrix x = test::drawn_matrix(kManyTokens, kNarrow, 2);
      num::Matrix expected(kManyTokens, kNarrow);
      parallel->forward(*tried.weights, x, expected);
      for (int time = 0; time < 2; ++time) {
        num::Matrix o(kManyTokens, kNarrow);
        for (int i = 0; i < kManyTokens; ++i) {
          decoder->step(*tried.weights,
                        attention::row_block(num::ConstView(x), i, 1),
                        attention::row_block(o.view(), i, 1));
        }
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
