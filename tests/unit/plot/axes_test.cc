#include "oa/plot/axes.h"

#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace oa;

namespace {

std::vector<std::string> labels(const plot::Axis& axis, int most) {
  std::vector<std::string> all;
  for (const plot::Tick& tick : plot::ticks(axis, most)) {
    all.push_back(tick.label);
  }
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("ticks are round and carry as many decimals as they need") {
  using Labels = std::vector<std::string>;
  CHECK(labels({0.0, 1.0}, 5) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels({-20.0, 20.0}, 4) == Labels{"-20", "-10", "0", "10", "20"});
  CHECK(labels({0.85, 1.0, false, true}, 3) == Labels{"85 %", "90 %", "95 %", "100 %"});
  CHECK(labels({1e-6, 1e-1, true}, 9) ==
        Labels{"1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1"});
  CHECK(labels({1e-3, 1e2, true}, 9) ==
        Labels{"0.001", "0.01", "0.1", "1", "10", "100"});
}

TEST_CASE("an axis of whole numbers has ticks at these alone") {
  using Labels = std::vector<std::string>;
  CHECK(labels({.low = 1.0, .high = 3.0, .whole = true}, 8) == Labels{"1", "2", "3"});
  CHECK(labels({.low = 1.0, .high = 100.0, .whole = true}, 5) ==
        Labels{"20", "40", "60", "80", "100"});
}

TEST_CASE("an axis of values has its ticks there, and none between") {
  const plot::Axis axis{
      .low = 64.0, .high = 1024.0, .log = true, .values = {64.0, 256.0, 1024.0}};
  CHECK(labels(axis, 2) == std::vector<std::string>{"64", "256", "1024"});
  CHECK(plot::minor_ticks(axis).empty());
}

TEST_CASE("an axis of odds has as much room from 99 % to 99.9 % as from 90 % to 99 %") {
  using Labels = std::vector<std::string>;
  const plot::Axis axis = plot::odds_axis(0.02, 0.9995);
  CHECK(labels(axis, 9) == Labels{"10 %", "50 %", "90 %", "99 %", "99.9 %"});
  CHECK(labels(plot::odds_axis(0.97, 0.98), 5).size() > 2);  // linear ticks
  CHECK(axis.share(0.99) - axis.share(0.9) ==
        doctest::Approx(axis.share(0.999) - axis.share(0.99)).epsilon(0.1));
  CHECK(axis.share(0.02) > 0.0);
  CHECK(axis.share(0.9995) < 1.0);
}

TEST_CASE("a logarithmic axis has ticks between its powers of ten, if they are few") {
  CHECK(plot::minor_ticks({1.0, 10.0, true}).size() == 8);
  CHECK(plot::minor_ticks({1e-3, 1.0, true}).size() == 24);
  const auto part = plot::minor_ticks({0.25, 4.5, true});
  REQUIRE(part.size() == 10);
  CHECK(part.front() == doctest::Approx(0.3));
  CHECK(part.back() == doctest::Approx(4.0));
  CHECK(plot::minor_ticks({1e-12, 1.0, true}).empty());
  CHECK(plot::minor_ticks({0.0, 1.0}).empty());
  CHECK(labels({1e-4, 1.0, true, true}, 9) ==
        std::vector<std::string>{"0.01 %", "0.1 %", "1 %", "10 %", "100 %"});
}

TEST_CASE("ticks lie within the axis, and are neither many nor none") {
  Rng rng(7);
  for (int run = 0; run < 1000; ++run) {
    const double low = std::ldexp(rng.uniform() - 0.5, test::below(rng, 40) - 20);
    const double high =
        low + std::ldexp(rng.uniform(), test::below(rng, 40) - 20) + 1e-9;
    CAPTURE(low);
    CAPTURE(high);
    const auto ticks = plot::ticks({low, high}, 8);
    CHECK(ticks.size() >= 1);
    CHECK(ticks.size() <= 10);
    const plot::Axis axis = plot::rounded_axis(low, high);
    const double hair = 1e-8 * (high - low);  // so that 0.30000000000000004 is 0.3
    CHECK(axis.low <= low + hair);
    CHECK(axis.high >= high - hair);
  }
}

TEST_CASE("an axis of one number has room around it") {
  for (const double value : {0.0, 3.0, -2.5}) {
    const plot::Axis axis = plot::rounded_axis(value, value);
    CHECK(axis.low < value);
    CHECK(axis.high > value);
  }
}

TEST_SUITE_END();
