#include "oa/base/histogram.h"

#include <doctest/doctest.h>

#include <cmath>

namespace oa {

TEST_SUITE("histogram") {
  TEST_CASE("quantiles of a known set are within a bin") {
    Histogram all;
    for (int i = 1; i <= 10000; ++i) {
      all.add(1e-6 * i);
    }
    for (const double p : {0.01, 0.5, 0.99}) {
      CHECK(all.quantile(p) == doctest::Approx(1e-2 * p).epsilon(0.022));
    }
    CHECK(all.quantile(1.0) == 1e-2);
    CHECK(all.max() == 1e-2);
    CHECK(all.count() == 10000);
    CHECK(all.sum() == doctest::Approx(50.005));
  }

  TEST_CASE("a histogram of nothing, of zeros and of extremes") {
    Histogram all;
    CHECK(std::isnan(all.quantile(0.5)));
    CHECK(all.max() == 0.0);
    all.add(0.0);
    CHECK(all.quantile(0.5) == 0.0);
    all.add(1e30);
    CHECK(all.quantile(0.5) < 1e-11);
    CHECK(all.max() == 1e30);
  }
}

}  // namespace oa
