// Coefficients that are marginals of the Boltzmann distribution of a query.
#include "oa/attention/coefficients.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/num/boltzmann.h"
#include "oa/num/rows.h"
#include "oa_test.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace oa;

namespace {

constexpr int kMarginalTokens = 7;
constexpr int kMarginalWidth = 6;

attention::Site marginal_site(const std::string& options,
                              bool causal,
                              int tokens = kMarginalTokens) {
  const auto spec =
      attention::parse_kind_specs("optimizing:" + options, "test").front();
  attention::Site site;
  site.tokens = tokens;
  site.width = site.dim = kMarginalWidth;
  site.causal = causal;
  site.divide_output = false;
  site.options = spec.options;
  site.coefficients = Coefficients::Marginal;
  attention::check_site(*spec.kind, site, "test");
  return site;
}

/// A layer with drawn parameters, and temperatures that are not 1.
struct MarginalLayer : test::DrawnAttention {
  explicit MarginalLayer(const attention::Site& at)
      : DrawnAttention(*attention::find_kind("optimizing"), at, 5, kMarginalTokens) {
    for (float& value : values.vector(tensor("log_temperature"))) {
      value = -0.4F;
    }
  }

  [[nodiscard]] int tensor(const std::string& name) const {
    const auto found = std::ranges::find(layout.tensors(), name, &parts::Tensor::name);
    return static_cast<int>(found - layout.tensors().begin());
  }
  num::Matrix forward(num::ConstView x) {
    weights.set(values);
    return DrawnAttention::forward(x);
  }
};

/// The slope of the loss with `number`.
double slope_with(float& number,
                  MarginalLayer& layer,
                  num::ConstView x,
                  num::ConstView d_o) {
  constexpr float kStep = 0.005F;
  const float at = number;
  const auto loss = [&](float steps) {
    number = at + steps * kStep;
    return num::dot(layer.forward(x), d_o);
  };
  const double slope = (8.0 * (loss(1) - loss(-1)) - (loss(2) - loss(-2))) /
                       (12.0 * static_cast<double>(kStep));
  number = at;
  return slope;
}

std::string marginal_refusal(const std::string& options, int tokens) {
  return test::message_of<InputError>(
      [&] { (void)marginal_site(options, false, tokens); });
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("marginal coefficients are those of the posed problems") {
  for (const bool causal : {false, true}) {
    MarginalLayer layer(marginal_site("keys=separate", causal));
    const num::Matrix x = test::drawn_matrix(kMarginalTokens, kMarginalWidth, 6);
    (void)layer.forward(x);
    const num::ConstView found = layer.attention->coefficients()->relaxed();
    const attention::Problem problem =
        layer.attention->pose(layer.weights, x, {0, kMarginalTokens}).front();
    for (int i = 0; i < kMarginalTokens; ++i) {
      const int keys = causal ? i + 1 : kMarginalTokens;
      std::vector<double> j;
      for (int a = 0; a < keys; ++a) {
        j.insert(j.end(), problem.j.row(a), problem.j.row(a) + keys);
      }
      const std::vector<double> h(problem.h.row(i), problem.h.row(i) + keys);
      std::vector<double> p(at(keys));
      num::Boltzmann(p.size(), j).marginals(h, std::exp(-0.4), p);
      for (int k = 0; k < kMarginalTokens; ++k) {
        const double expected = k < keys ? p[at(k)] : 0.0;
        CHECK(static_cast<double>(found(i, k)) ==
              doctest::Approx(expected).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("gradients of layers with marginals are those of differences") {
  const num::Matrix d_o = test::drawn_matrix(kMarginalTokens, kMarginalWidth, 7);
  for (const std::string options :
       {"keys=separate,heads=2,penalty=-1,plain=true",
        "keys=own,penalty=-1",
        "keys=shared,unit=false,alpha=1,beta=1,penalty=-2,loops=2,output=true",
        "keys=separate,alpha=0,penalty=-1"}) {
    for (const bool causal : {false, true}) {
      CAPTURE(options);
      attention::Site site = marginal_site(options, causal);
      site.normalization = attention::Normalization::None;
      MarginalLayer layer(site);
      num::Matrix x = test::drawn_matrix(kMarginalTokens, kMarginalWidth, 6);
      parts::Values gradient(layer.layout);
      (void)layer.forward(x);
      const num::Matrix dx = layer.backward(x, d_o, gradient);
      const double size =
          test::largest_difference(dx, num::Matrix(kMarginalTokens, kMarginalWidth));
      for (int i = 0; i < kMarginalTokens; ++i) {
        for (int c = 0; c < kMarginalWidth; ++c) {
          const double slope = slope_with(x(i, c), layer, x, d_o);
          CHECK(std::abs(slope - static_cast<double>(dx(i, c))) < 3e-3 * size);
        }
      }
      for (const parts::Tensor& tensor : layer.layout.tensors()) {
        const int k = layer.tensor(tensor.name);
        for (int c = 0; c < tensor.cols; ++c) {
          CAPTURE(tensor.name);
          const double found = static_cast<double>(gradient.matrix(k)(0, c));
          const double slope = slope_with(layer.values.matrix(k)(0, c), layer, x, d_o);
          CHECK(std::abs(slope - found) < 3e-3 * std::max(size, std::abs(slope)));
        }
      }
    }
  }
}

TEST_CASE("a decoder has the marginals of the tokens so far") {
  MarginalLayer layer(marginal_site("keys=shared,heads=2", true));
  const num::Matrix x = test::drawn_matrix(kMarginalTokens, kMarginalWidth, 6);
  const num::Matrix all = layer.forward(x);
  Arena kept(1U << 20);
  Arena scratch(1U << 20);
  const auto decoder = layer.layer->make_decoder(
      kMarginalTokens, {.kept = kept, .scratch = scratch, .backward = false});
  const num::Matrix rows = test::decoded(*decoder, layer.weights, x, kMarginalWidth);
  for (int i = 0; i < kMarginalTokens; ++i) {
    for (int c = 0; c < kMarginalWidth; ++c) {
      CHECK(static_cast<double>(rows(i, c)) ==
            doctest::Approx(static_cast<double>(all(i, c))).epsilon(1e-4));
    }
  }
}

TEST_CASE("marginals need keys, at most 24 of them") {
  CHECK(marginal_refusal("keys=own", 24) == "(nothing was thrown)");
  CHECK(marginal_refusal("keys=own", 25).find("at most 24 keys, not 25") !=
        std::string::npos);
  CHECK(marginal_refusal("keys=paper", 4).find("coefficients marginal need keys=own") !=
        std::string::npos);
}

TEST_SUITE_END();
