#include "oa/attention/kind_spec.h"
#include "oa/base/arena.h"
#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace oa;

namespace {

constexpr int kTriedTokens = 7;
constexpr int kTriedWidth = 8;

/// An attention of the kind that `text` names, after one sequence.
struct Tried {
  Arena kept;
  Arena scratch;
  std::unique_ptr<const attention::Layer> layer;
  std::unique_ptr<attention::Attention> attention;
  num::Matrix x = test::drawn_matrix(kTriedTokens, kTriedWidth, 2, 2.0F);
  num::Matrix o{kTriedTokens, kTriedWidth};

  explicit Tried(const std::string& text, bool causal = false) {
    const attention::KindSpec spec = attention::parse_kind_specs(text, "test").front();
    attention::Site site;
    site.tokens = kTriedTokens;
    site.width = site.dim = kTriedWidth;
    site.causal = causal;
    site.divide_output = false;
    site.options = spec.options;
    parts::Layout layout;
    layer = spec.kind->declare(site, layout);
    parts::Values values(layout);
    parts::initialize(layout, Rng(1), values);
    parts::Weights weights(layout);
    weights.set(values);
    const auto batch = attention::Batch::of_one(kTriedTokens);
    (void)layer->make(batch, {.kept = kept, .scratch = scratch});  // how much memory
    kept = Arena(kept.high_water());
    scratch = Arena(scratch.high_water());
    attention = layer->make(batch, {.kept = kept, .scratch = scratch});
    attention->forward(weights, x, o);
  }
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
