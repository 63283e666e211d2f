// Costs of long and wide layers: sizes beyond 2^31 floats.
#include "oa/attention/kind.h"
#include "oa/attention/kind_spec.h"
#include "oa/parts/params.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

/// Bytes for a sequence of `tokens` in a layer of width `dim`; nothing is allocated.
double bytes_of(const std::string& text, int dim, int tokens, bool causal) {
  const attention::KindSpec spec = attention::parse_kind_specs(text, "test").front();
  attention::Site site;
  site.tokens = tokens;
  site.width = site.dim = dim;
  site.causal = causal;
  site.options = spec.options;
  parts::Layout layout;
  const parts::Cost cost =
      spec.kind->declare(site, layout)->cost(attention::Batch::of_one(tokens));
  return static_cast<double>(cost.saved) + static_cast<double>(cost.workspace);
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("memory of kinds with a state grows in proportion to tokens, up to 2^24") {
  for (const std::string kind : {"linear",
                                 "gla",
                                 "h3:head_dim=64",
                                 "mamba:states=256",
                                 "delta",
                                 "gated-delta",
                                 "kda",
                                 "ttt",
                                 "ttt:batch=1",
                                 "mesa"}) {
    for (const bool causal : {true, false}) {
      CAPTURE(kind);
      CAPTURE(causal);
      double before = bytes_of(kind, 1024, 1 << 16, causal);
      for (int tokens = 1 << 17; tokens <= 1 << 24; tokens *= 2) {
        CAPTURE(tokens);
        const double now = bytes_of(kind, 1024, tokens, causal);
        CHECK(now / before > 1.9);
        CHECK(now / before < 2.1);
        before = now;
      }
    }
  }
}

TEST_CASE("a state of 65536 by 65536 takes 16 GiB and more") {
  for (const std::string kind : {"linear", "ttt", "mesa"}) {
    CAPTURE(kind);
    const double wide = bytes_of(kind, 1 << 16, 64, true);
    CHECK(wide > 16.0 * (1 << 30));
    CHECK(wide / bytes_of(kind, 1 << 15, 64, true) < 4.1);
  }
  // Keys of half the width.
  CHECK(bytes_of("gla", 1 << 16, 64, true) > 8.0 * (1 << 30));
  // 1024 states of each of 2^17 channels.
  CHECK(bytes_of("mamba:states=1024", 1 << 16, 64, true) > 0.5 * (1 << 30));
}

TEST_SUITE_END();
