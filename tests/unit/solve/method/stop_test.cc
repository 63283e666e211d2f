#include "oa/solve/method/stop.h"

#include <doctest/doctest.h>

#include <limits>
#include <stop_token>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("a stop never comes by itself, and stays") {
    CHECK_FALSE(Stop()());
    CHECK_FALSE(Stop().limited());
    std::stop_source source;
    const Stop stop(source.get_token(), std::numeric_limits<double>::infinity());
    CHECK_FALSE(stop());
    source.request_stop();
    CHECK(stop());
    CHECK(stop.share(0.5)());
    CHECK(Stop({}, 0.0)());
  }

  TEST_CASE("shares of the time that is left") {
    const Stop stop({}, 1000.0);
    CHECK(stop.share(0.5).left_s() <= 500.0);
    CHECK(stop.share(0.5).left_s() > 400.0);
    CHECK(stop.earlier(900.0).left_s() <= 100.0);
    CHECK(stop.earlier(1001.0)());
    CHECK_FALSE(Stop().share(0.5).limited());
    CHECK_FALSE(Stop().earlier(5.0).limited());
  }

  TEST_CASE("a pace asks at once, then only after much work, and stays stopped") {
    std::stop_source source;
    const Stop stop(source.get_token(), std::numeric_limits<double>::infinity());
    Pace pace(stop);
    CHECK_FALSE(pace(1));
    source.request_stop();
    CHECK_FALSE(pace(1));
    CHECK(pace(1'000'000'000));
    CHECK(pace(1));
    CHECK(pace.stopped());
    CHECK(Pace(stop)(0));
  }

  TEST_CASE("a course goes by its steps, or by its time where that is over sooner") {
    const Stop never;
    const Course steps(5, never, 0.5);
    CHECK(steps(0) == 0.0);
    CHECK(steps(1) == 0.25);
    CHECK(steps(4) == 1.0);
    CHECK(Course(1, never, 0.5)(0) == 1.0);
    const Stop over({}, 0.0);
    CHECK(Course(5, over, 0.5)(1) <= 1.0);
    const Stop soon({}, 1e-3);
    const Course timed(1'000'000'000, soon, 0.5);
    while (!soon()) {
    }
    CHECK(timed(1) == 1.0);
  }
}

}  // namespace oa::solve
