#include "oa/score/gaps.h"

#include <doctest/doctest.h>

using namespace oa;
using score::SolvedImage;

TEST_SUITE_BEGIN("score");

TEST_CASE("gaps are relative to proved optima; problems without one are left out") {
  const auto proved = qubo::Status::ProvedOptimal;
  const auto found = qubo::Status::BestFound;
  const SolvedImage exact{
      7, {-4.0, 0.0, -2.0, -1.0}, {proved, proved, found, proved}, 1};
  const SolvedImage other{7, {-3.0, 0.5, -2.0, -1.0}, {found, found, found, found}, 2};
  score::GapCount count(2);
  const SolvedImage* both[] = {&exact, &other};
  count.add_image(both);
  count.add_image(both);
  CHECK(count.unproved() == 2);
  const auto gaps = count.take_gaps();
  CHECK(gaps[0].optimal == 6);
  CHECK(gaps[0].above.empty());
  CHECK(gaps[1].optimal == 2);
  CHECK(gaps[1].above == std::vector{0.25, 0.25, 0.5, 0.5});
  CHECK(gaps[1].seconds == 4.0);
}

TEST_CASE("an energy that differs in its last bits is the optimum") {
  const SolvedImage exact{1, {-1.0}, {qubo::Status::ProvedOptimal}, 0};
  const SolvedImage other{1, {-1.0 + 1e-12}, {qubo::Status::BestFound}, 0};
  score::GapCount count(2);
  const SolvedImage* both[] = {&exact, &other};
  count.add_image(both);
  CHECK(count.take_gaps()[1].optimal == 1);
}

TEST_SUITE_END();
