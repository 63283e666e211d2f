// One kind of attention, called so many times and nothing else:
//   kind-calls KIND[:option=value,...] TOKENS CALLS
// To count instructions of one call, take the difference of two runs.
// Width 64, one head, one thread, a forward pass without gradients.
#include "oa/attention/kind_spec.h"
#include "oa/base/arena.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"

#include <cstdio>
#include <exception>

namespace oa {
namespace {

constexpr int kWidth = 64;

attention::Site site_of(const attention::KindSpec& spec, int tokens) {
  attention::Site site;
  site.tokens = tokens;
  site.width = kWidth;
  site.dim = kWidth;
  site.options = spec.options;
  site.coefficients = Coefficients::Continuous;
  attention::check_site(*spec.kind, site, "");
  return site;
}

num::Matrix drawn(int rows, int cols) {
  num::Matrix m(rows, cols);
  Rng rng(1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      m(i, j) = static_cast<float>(rng.normal());
    }
  }
  return m;
}

void call(const attention::KindSpec& spec, int tokens, int calls) {
  parts::Layout layout;
  const auto layer = spec.kind->declare(site_of(spec, tokens), layout);
  const auto batch = attention::Batch::of_one(tokens);
  Arena counted_kept;
  Arena counted_scratch;
  (void)layer->make(
      batch, {.kept = counted_kept, .scratch = counted_scratch, .backward = false});
  Arena kept(counted_kept.high_water());
  Arena scratch(counted_scratch.high_water());
  const auto attention =
      layer->make(batch, {.kept = kept, .scratch = scratch, .backward = false});

  parts::Values values(layout);
  parts::initialize(layout, Rng(1), values);
  parts::Weights weights(layout);
  weights.set(values);
  const num::Matrix x = drawn(tokens, kWidth);
  num::Matrix o(tokens, kWidth);
  for (int k = 0; k < calls; ++k) {
    attention->forward(weights, x, o);
  }
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: kind-calls KIND[:option=value,...] TOKENS CALLS\n", stderr);
    return 2;
  }
  try {
    const auto specs = oa::attention::parse_kind_specs(argv[1], "");
    oa::call(specs.front(),
             static_cast<int>(oa::parse_int(argv[2]).value_or(1)),
             static_cast<int>(oa::parse_int(argv[3]).value_or(1)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kind-calls: %s\n", error.what());
    return 1;
  }
}
