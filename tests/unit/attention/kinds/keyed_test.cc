#include "oa/attention/kinds/keyed.h"

#include "oa/attention/coefficients.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/error.h"
#include "oa/num/rows.h"
#include "oa/train/exact_forward.h"
#include "oa_test.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

using namespace oa;
using attention::Site;

namespace {

constexpr int kWidth = 8;

Site site_of(const std::string& options, bool causal) {
  const auto spec =
      attention::parse_kind_specs("optimizing:" + options, "test").front();
  Site site;
  site.tokens = 64;
  site.width = site.dim = kWidth;
  site.causal = causal;
  site.divide_output = false;
  site.options = spec.options;
  attention::check_site(*spec.kind, site, "test");
  return site;
}

/// A layer on one sequence of drawn tokens.
struct One : test::DrawnAttention {
  num::Matrix x;

  One(const Site& at, int tokens)
      : DrawnAttention(*attention::find_kind("optimizing"), at, 5, tokens),
        x(test::drawn_matrix(tokens, kWidth, 6)) {}

  num::Matrix forward() { return DrawnAttention::forward(x); }
  num::Matrix backward(num::ConstView d_o) {
    parts::Values gradient(layout);
    return DrawnAttention::backward(x, d_o, gradient);
  }
  std::span<const attention::Problem> pose() {
    return pose({0, site.queries(x.rows())});
  }
  std::span<const attention::Problem> pose(const attention::QueryRows& asked) {
    return attention->pose(weights, x, asked);
  }
};

/// The set of the first `count` variables with the lowest energy, by trying all.
unsigned best_set(const attention::Problem& p, int row, int count) {
  unsigned best = 0;
  double least = 0.0;
  for (unsigned set = 1; set < 1U << count; ++set) {
    double energy = 0.0;
    for (int a = 0; a < count; ++a) {
      if ((set >> a & 1U) == 0) {
        continue;
      }
      energy += static_cast<double>(p.h(row, a));
      for (int b = 0; b < count; ++b) {
        energy += (set >> b & 1U) != 0 ? 0.5 * static_cast<double>(p.j(a, b)) : 0.0;
      }
    }
    if (energy < least) {
      least = energy;
      best = set;
    }
  }
  return best;
}

std::string refusal(const std::string& options, bool causal) {
  return test::message_of<InputError>([&] { (void)site_of(options, causal); });
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("solved keyed problems give the output of the layer") {
  for (const bool causal : {false, true}) {
    for (const auto& [options, how] :
         {std::pair{"keys=own,heads=2,penalty=1", attention::Normalization::Sum},
          std::pair{"keys=shared,heads=2,output=true,beta=12",
                    attention::Normalization::None},
          std::pair{"keys=separate,output=true,penalty=0.5",
                    attention::Normalization::Capped},
          std::pair{"keys=shared,alpha=0", attention::Normalization::Capped},
          std::pair{"keys=paper", attention::Normalization::Capped}}) {
      CAPTURE(options);
      CAPTURE(causal);
      Site site = site_of(options, causal);
      site.normalization = how;
      site.solver.optima = train::exact_optima();
      One layer(site, 9);
      const num::Matrix expected = layer.forward();
      num::Matrix o(9, kWidth);
      int chosen = 0;
      for (const attention::Problem& p : layer.pose()) {
        CHECK(p.causal == causal);
        for (int i = 0; i < 9; ++i) {
          const unsigned set = best_set(p, i, causal ? i + 1 : 9);
          const int size = std::popcount(set);
          const float share = how == attention::Normalization::None
                                  ? 1.0F
                                  : 1.0F / static_cast<float>(size);
          chosen += size;
          for (int k = 0; k < 9; ++k) {
            for (int c = 0; c < kWidth && (set >> k & 1U) != 0; ++c) {
              o(i, c) += p.output_scale * p.v(k, c) * share;
            }
          }
        }
      }
      CHECK(chosen > 8);
      CHECK(test::largest_difference(o, expected) < 1e-5);
    }
  }
}

TEST_CASE("keys that were not chosen get a gradient") {
  Site site = site_of("keys=separate,plain=true", false);
  site.solver.optima = train::exact_optima();
  One layer(site, 9);
  const num::Matrix o = layer.forward();
  num::Matrix d_o(9, kWidth);
  num::fill(d_o, 1.0F);
  const auto gradient_of_row = [&](One& one, int row) {
    const num::Matrix dx = one.backward(d_o);
    float sum = 0.0F;
    for (int c = 0; c < kWidth; ++c) {
      sum += std::abs(dx(row, c));
    }
    return sum;
  };
  // A penalty so high that nothing is chosen: the values have no gradient then, and
  // what tokens get comes through coefficients that are 0.
  Site none = site_of("keys=separate,plain=true,penalty=8.5", false);
  none.solver.optima = train::exact_optima();
  One empty(none, 9);
  CHECK(test::largest_difference(empty.forward(), num::Matrix(9, kWidth)) == 0.0);
  for (int row = 0; row < 9; ++row) {
    CHECK(gradient_of_row(empty, row) > 0.0F);
    CHECK(gradient_of_row(layer, row) > 0.0F);
  }
}

// A large J, which the mean field solves by its factors.
TEST_CASE("the backward pass has the mean field of the keys") {
  const Site site =
      site_of("keys=shared,unit=false,plain=true,output=true,alpha=64,beta=64", false);
  constexpr int kTokens = 48;
  One layer(site, kTokens);
  (void)layer.forward();
  num::Matrix d_o(kTokens, kWidth);
  num::fill(d_o, 1.0F);
  (void)layer.backward(d_o);
  const num::ConstView x = layer.attention->coefficients()->relaxed();
  const attention::Problem problem = layer.pose().front();
  int between = 0;
  for (int i = 0; i < kTokens; ++i) {
    for (int k = 0; k < kTokens; ++k) {
      float g = problem.h(i, k);
      for (int l = 0; l < kTokens; ++l) {
        g += x(i, l) * problem.j(l, k);
      }
      CHECK(std::abs(x(i, k) -
                     1.0F / (1.0F + std::exp(g / attention::Stage{}.temperature))) <
            0.01F);
      between += x(i, k) > 0.1F && x(i, k) < 0.9F ? 1 : 0;
    }
  }
  CHECK(between > kTokens);
}

TEST_CASE("queries posed alone have the same problems as among all") {
  for (const char* options : {"keys=paper",
                              "keys=separate,heads=2,plain=true",
                              "keys=shared,unit=false,plain=true,output=true"}) {
    CAPTURE(options);
    const bool causal = std::string_view(options) != "keys=paper";
    One all(site_of(options, causal), 9);
    One some(site_of(options, causal), 9);
    const auto expected = all.pose();
    const auto found = some.pose({3, 7});
    REQUIRE(found.size() == expected.size());
    for (std::size_t head = 0; head < found.size(); ++head) {
      CHECK(test::largest_difference(found[head].j, expected[head].j) == 0.0);
      CHECK(test::largest_difference(found[head].v, expected[head].v) == 0.0);
      for (int i = 3; i < 7; ++i) {
        for (int k = 0; k < 9; ++k) {
          CHECK(found[head].h(i, k) == expected[head].h(i, k));
        }
      }
    }
  }
}

TEST_CASE("options without a meaning are refused by name") {
  CHECK(refusal("alpha=2", false).find("alpha has no meaning with keys=paper") !=
        std::string::npos);
  CHECK(refusal("keys=own,thin=3", false).find("thin has no meaning with keys=own") !=
        std::string::npos);
  CHECK(refusal("keys=paper", true) == "(nothing was thrown)");
  CHECK(refusal("keys=paper,thin=3", true).find("thin has no causal form") !=
        std::string::npos);
  CHECK(refusal("keys=own,centre=true", true).find("later tokens") !=
        std::string::npos);
  CHECK(refusal("keys=own,centre=true,unit=false", false).find("unit=false") !=
        std::string::npos);
  CHECK(refusal("keys=own,heads=3", false).find("heads=3") != std::string::npos);
  CHECK(refusal("keys=shared,heads=4,unit=false,alpha=48,beta=96", true) ==
        "(nothing was thrown)");
}

TEST_SUITE_END();
