// Choices and counts of kinds, as oa-bench prints them.
#include "oa/attention/kind_spec.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>

using namespace oa;

namespace {

constexpr int kWidth = 32;

using Counts = std::map<std::string, std::int64_t>;

/// The counts of a forward pass over random tokens, normal numbers times `size`.
Counts counts_of(const std::string& text,
                 int tokens,
                 float size = 1.0F,
                 bool causal = false) {
  const attention::KindSpec spec = attention::parse_kind_specs(text, "test").front();
  attention::Site site;
  site.tokens = tokens;
  site.width = site.dim = kWidth;
  site.options = spec.options;
  site.causal = causal;
  test::DrawnAttention drawn(*spec.kind, site, 7, tokens, false);
  (void)drawn.forward(test::drawn_matrix(tokens, kWidth, 8, size));
  Counts counts;
  for (const attention::Count& count : drawn.attention->counts()) {
    CHECK(counts.emplace(count.name, count.value).second);
  }
  return counts;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("the blocks of fused attention fit into the requested scratch memory") {
  const Counts plain = counts_of("flash2", 300);
  CHECK(plain.at("block_keys") == 256);
  CHECK(plain.at("block_queries") == 36);
  for (const int kib : {16, 32, 48, 100}) {
    CAPTURE(kib);
    for (const std::string kind : {"flash1", "flash2"}) {
      const Counts small = counts_of(kind + ":scratch=" + std::to_string(kib), 300);
      CHECK(small.at("scratch_bytes") <= kib * 1024);
      CHECK(small.at("scratch_bytes") > kib * 1024 / 4);
      CHECK(small.at("block_queries") < plain.at("block_queries"));
    }
  }
}

TEST_CASE("fused attention has the requested blocks") {
  for (const std::string kind : {"flash1", "flash2"}) {
    const Counts asked = counts_of(kind + ":block=32", 300);
    CHECK(asked.at("block_keys") == 32);
    CHECK(asked.at("block_queries") == 32);
  }
}

TEST_CASE("tiles have fewer queries if these would see different keys") {
  CHECK(counts_of("window:radius=8", 300).at("block_queries") <
        counts_of("flash2", 300).at("block_queries"));
  CHECK(counts_of("block-sparse:block=16", 300).at("block_queries") == 16);
}

TEST_CASE(
    "threshold skips no tile where it keeps all keys, and most where it keeps few") {
  const Counts all = counts_of("threshold:tau=1000", 300);
  CHECK(all.at("tiles") > 0);
  CHECK(all.at("skipped_tiles") == 0);
  const Counts few = counts_of("threshold:tau=0", 300, 20.0F);
  CHECK(few.at("tiles") == all.at("tiles"));
  CHECK(few.at("skipped_tiles") > 0);
  CHECK(few.at("skipped_tiles") < few.at("tiles"));
}

TEST_CASE("clamps are counted where sums of weights may be negative") {
  // Products of features of no token are 0: all sums are.
  const std::string signed_sums = "linear:feature=identity,heads=2,plain=true";
  for (const bool causal : {false, true}) {
    CHECK(counts_of(signed_sums, 10, 0.0F, causal).at("clamps") == 20);
  }
  CHECK(counts_of("rfa:heads=2", 10).at("clamps") >= 0);
  CHECK(counts_of("linear:heads=2", 10).empty());
  CHECK(counts_of("mlp", 10).empty());
}

TEST_SUITE_END();
