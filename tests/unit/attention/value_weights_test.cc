#include "oa/attention/kind_spec.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace oa;

namespace {

constexpr int kTriedTokens = 7;
constexpr int kTriedWidth = 8;

attention::Site tried_site(const attention::KindSpec& spec, bool causal) {
  attention::Site site;
  site.tokens = kTriedTokens;
  site.width = site.dim = kTriedWidth;
  site.causal = causal;
  site.divide_output = false;
  site.options = spec.options;
  return site;
}

/// An attention of a kind, after one sequence.
struct Tried : test::DrawnAttention {
  explicit Tried(const attention::KindSpec& spec, bool causal)
      : DrawnAttention(*spec.kind, tried_site(spec, causal), 1, kTriedTokens) {}
  explicit Tried(const std::string& text, bool causal = false)
      : Tried(attention::parse_kind_specs(text, "test").front(), causal) {}

  num::Matrix o = forward(test::drawn_matrix(kTriedTokens, kTriedWidth, 2, 2.0F));
};

/// The weights of the attention times the values are its output.
void check_explains(const std::string& text, bool causal = false) {
  CAPTURE(text);
  const Tried tried(text, causal);
  const std::vector<num::Matrix> heads = tried.attention->value_weights();
  const num::ConstView v = tried.attention->values();
  REQUIRE(!heads.empty());
  REQUIRE(v.cols == kTriedWidth);
  const int width = kTriedWidth / static_cast<int>(heads.size());
  for (int i = 0; i < kTriedTokens; ++i) {
    for (int c = 0; c < kTriedWidth; ++c) {
      const num::Matrix& weights = heads[static_cast<std::size_t>(c / width)];
      double sum = 0.0;
      for (int k = 0; k < kTriedTokens; ++k) {
        sum += double{weights(i, k)} * double{v(k, c)};
        if (causal && k > i) {
          CHECK(weights(i, k) == 0.0F);
        }
      }
      CHECK(sum == doctest::Approx(tried.o(i, c)).epsilon(1e-4));
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("weights of values explain the output, in tiles and in memory") {
  check_explains("softmax:heads=2,plain=true");
  check_explains("softmax:score=sigmoid,plain=true");
  check_explains("softmax:plain=true", true);
  check_explains("flash2:heads=2,plain=true");
  check_explains("flash2:plain=true", true);
  check_explains("flash1:heads=4,plain=true");
  check_explains("window:radius=2,heads=2,plain=true");
}

TEST_CASE("groups share keys, and their rows are shares of one") {
  const Tried tried("gqa:heads=4,groups=2,plain=true");
  const std::vector<num::Matrix> heads = tried.attention->value_weights();
  REQUIRE(heads.size() == 4);
  for (const num::Matrix& weights : heads) {
    for (int i = 0; i < kTriedTokens; ++i) {
      double sum = 0.0;
      for (int k = 0; k < kTriedTokens; ++k) {
        sum += double{weights(i, k)};
      }
      CHECK(sum == doctest::Approx(1.0));
    }
  }
}

TEST_CASE("a mean weighs all values alike, and other kinds have no weights") {
  const std::vector<num::Matrix> mean = Tried("uniform").attention->value_weights();
  REQUIRE(mean.size() == 1);
  CHECK(mean[0](kTriedTokens - 1, 2) == doctest::Approx(1.0 / kTriedTokens));
  CHECK(Tried("linear").attention->value_weights().empty());
  CHECK(Tried("mlp").attention->value_weights().empty());
}

TEST_SUITE_END();
