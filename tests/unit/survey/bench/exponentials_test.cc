#include "survey/bench/exponentials.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace oa;
using attention::Exponential;

namespace {

std::vector<Exponential> study() {
  constexpr std::array kTokens{32, 200};
  constexpr std::array kSpreads{1.0, 3.0};
  return attention::exponential_errors(kTokens, kSpreads);
}

Exponential found(const std::string& method, int size) {
  for (const Exponential& one : study()) {
    if (one.method == method && one.size == size) {
      return one;
    }
  }
  FAIL("no exponential " << method << " " << size);
  return {};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("exponentials err as the theory of each method says") {
  // At -16 the logarithm is 23: to round it to a float changes 2^t by up to 6.7e-7.
  CHECK(found("kernel", 5).largest < 2.4e-7 + 6.7e-7);
  CHECK(found("log2", 0).largest ==
        doctest::Approx(std::sqrt(2.0) - 1.0).epsilon(1e-3));
  CHECK(found("log2", 1).largest == doctest::Approx(0.0615).epsilon(1e-2));
  CHECK(found("log2", 2).largest == doctest::Approx(0.00268).epsilon(1e-2));
  for (const int size : {64, 256, 1024}) {
    CAPTURE(size);
    const double step = attention::kExponentialRange / size;
    CHECK(found("table", size).largest ==
          doctest::Approx(std::expm1(step / 2.0)).epsilon(1e-3));
    // Half the second derivative at the middle, (h/2)^2.
    CHECK(found("line", size).largest ==
          doctest::Approx(step * step / 8.0).epsilon(2e-2));
  }
}

TEST_CASE("fixed point is as near as half its last bit, and its polynomial, allow") {
  // Half a bit of the weight, half a bit of its logarithm, and the polynomial's error.
  CHECK(found("fixed", 16).absolute < 0x1p-15 + 0x1p-12 * 0.694 + 1.2e-4);
  CHECK(found("fixed", 16).absolute > 0x1p-15);
  // Weights about half a bit become 0 or a bit.
  CHECK(found("fixed", 16).largest == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(found("fixed", 32).absolute < 3e-7);
  CHECK(found("fixed", 32).largest < 0x1p-31 * std::exp(16.0) + 1e-6);
}

TEST_CASE("larger sizes lose less, in sums and outputs, too") {
  const std::vector<Exponential> all = study();
  for (std::size_t k = 1; k < all.size(); ++k) {
    const Exponential& one = all[k];
    const Exponential& before = all[k - 1];
    if (one.method != before.method) {
      continue;
    }
    CAPTURE(one.method);
    CAPTURE(one.size);
    CHECK(one.rms < before.rms);
    REQUIRE(one.uses.size() == 4);
    for (std::size_t use = 0; use < one.uses.size(); ++use) {
      CHECK(one.uses[use].tokens == (use < 2 ? 32 : 200));
      CHECK(one.uses[use].outputs < before.uses[use].outputs);
      // 1 + f is never below 2^f, so that errors add up; those of 1 have both signs.
      if (one.method != "log2" || one.size > 1) {
        CHECK(one.uses[use].sums < before.uses[use].sums);
      }
    }
  }
}

TEST_CASE("sums err less than the worst of their weights") {
  for (const Exponential& one : study()) {
    CAPTURE(one.method);
    CAPTURE(one.size);
    for (const attention::ExponentialUse& use : one.uses) {
      CHECK(use.sums < one.largest);
      CHECK(use.sums > 0.0);
      CHECK(use.outputs > 0.0);
    }
  }
}

TEST_SUITE_END();
