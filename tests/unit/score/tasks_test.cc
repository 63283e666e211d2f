#include "oa/score/tasks.h"

#include "oa/base/error.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa;
using score::TaskResult;

namespace {

TaskResult result(std::int64_t index, std::int64_t asked, std::int64_t correct) {
  return {.index = index, .asked = asked, .correct = correct, .surprise = {}};
}

}  // namespace

TEST_SUITE_BEGIN("score");

TEST_CASE("runs of tasks are compared over the examples they share") {
  const std::vector<TaskResult> a{result(1, 4, 4), result(2, 4, 2), result(7, 4, 1)};
  const std::vector<TaskResult> b{result(2, 4, 2), result(1, 4, 1)};
  const score::TaskComparison c = score::compare(a, b);
  CHECK(c.examples == 2);
  CHECK(c.only_a == 1);
  CHECK(c.only_b == 0);
  CHECK(c.asked == 8);
  CHECK(c.right_a == 6);
  CHECK(c.right_b == 3);
  CHECK(c.difference.value == doctest::Approx(3.0 / 8));
  // Residuals 3 - 1.5 and 0 - 1.5, summed over n / (n - 1) = 2.
  const double half = 1.959963984540054 * std::sqrt(2.0 * (2.25 + 2.25)) / 8.0;
  CHECK(c.difference.low == doctest::Approx(3.0 / 8 - half));
  CHECK(c.difference.high == doctest::Approx(3.0 / 8 + half));
  CHECK(std::isnan(c.bits_a));
}

TEST_CASE("an interval counts examples, not answers") {
  // All examples have equal answers: repeated answers teach nothing.
  std::vector<TaskResult> a;
  std::vector<TaskResult> b;
  std::vector<TaskResult> longer_a;
  std::vector<TaskResult> longer_b;
  for (int k = 0; k < 50; ++k) {
    a.push_back(result(k, 1, k % 3 == 0 ? 1 : 0));
    b.push_back(result(k, 1, k % 2));
    longer_a.push_back(result(k, 20, k % 3 == 0 ? 20 : 0));
    longer_b.push_back(result(k, 20, k % 2 * 20));
  }
  const auto once = score::compare(a, b).difference;
  const auto often = score::compare(longer_a, longer_b).difference;
  CHECK(once.value == doctest::Approx(often.value));
  CHECK(once.low == doctest::Approx(often.low));
  CHECK(once.high == doctest::Approx(often.high));
  CHECK(once.high > once.low);
}

TEST_CASE("bits are compared if both runs have them") {
  std::vector<TaskResult> a{result(1, 2, 2), result(2, 2, 2)};
  std::vector<TaskResult> b = a;
  a[0].surprise = 2.0 * std::log(2.0);
  a[1].surprise = 4.0 * std::log(2.0);
  b[0].surprise = 1.0 * std::log(2.0);
  CHECK(std::isnan(score::compare(a, b).bits_a));
  b[1].surprise = 1.0 * std::log(2.0);
  const score::TaskComparison c = score::compare(a, b);
  CHECK(c.bits_a == doctest::Approx(6.0 / 4));
  CHECK(c.bits_b == doctest::Approx(2.0 / 4));
  CHECK(c.bits_difference.value == doctest::Approx(1.0));
  CHECK(c.bits_difference.low < 1.0);
}

TEST_CASE("runs over other data are refused, and empty runs have no rows") {
  const std::vector<TaskResult> a{result(1, 4, 4)};
  const std::vector<TaskResult> b{result(1, 3, 3)};
  CHECK_THROWS_AS((void)score::compare(a, b), InputError);
  CHECK(std::isnan(score::compare(std::vector<TaskResult>{}, std::vector<TaskResult>{})
                       .difference.value));
  // The spread of a single example is not known.
  const auto one = score::compare(a, a).difference;
  CHECK(one.value == 0.0);
  CHECK(std::isnan(one.low));
}

TEST_SUITE_END();
