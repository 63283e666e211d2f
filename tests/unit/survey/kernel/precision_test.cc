#include "survey/kernel/precision.h"

#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace oa;
using attention::Precision;

TEST_SUITE_BEGIN("attention");

TEST_CASE("bfloat16 keeps 8 bits, rounded to the nearest, the even one of two") {
  const float given[] = {1.0F, 1.00390625F, 1.01171875F, -1.01F, 0.1F, 0.0F};
  const float rounded[] = {1.0F, 1.0F, 1.015625F, -1.0078125F, 0.10009765625F, 0.0F};
  num::Matrix q(1, 6);
  std::ranges::copy(given, q.row(0));
  num::Matrix k = q;
  num::Matrix v = q;
  attention::round_heads(Precision::Bf16, 3, q, k, v);
  for (int j = 0; j < 6; ++j) {
    CAPTURE(j);
    CHECK(q(0, j) == rounded[j]);
    CHECK(k(0, j) == rounded[j]);
    CHECK(v(0, j) == rounded[j]);
  }
}

TEST_CASE("8 bits divide each row of a head by its largest number into 127 steps") {
  Rng rng(3);
  const num::Matrix exact = test::drawn_matrix(5, 12, rng);
  num::Matrix q = exact;
  num::Matrix k = exact;
  num::Matrix v = exact;
  attention::round_heads(Precision::Int8, 4, q, k, v);
  for (int i = 0; i < 5; ++i) {
    for (int head = 0; head < 12; head += 4) {
      float largest = 0.0F;
      for (int j = head; j < head + 4; ++j) {
        largest = std::max(largest, std::abs(exact(i, j)));
      }
      for (int j = head; j < head + 4; ++j) {
        CHECK(std::abs(q(i, j) - exact(i, j)) <= largest / 253);
        const float steps = q(i, j) / largest * 127.0F;
        CHECK(std::abs(steps - std::round(steps)) < 1e-3F);
        CHECK(std::abs(v(i, j) - exact(i, j)) <= std::abs(exact(i, j)) / 256);
      }
    }
  }
}

TEST_CASE("NaN and infinity stay in the rows that they are in") {
  Rng rng(4);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    for (const Precision precision : {Precision::Bf16, Precision::Int8}) {
      num::Matrix q = test::drawn_matrix(3, 8, rng);
      num::Matrix k = test::drawn_matrix(3, 8, rng);
      num::Matrix v = test::drawn_matrix(3, 8, rng);
      q(1, 5) = bad;
      v(2, 0) = bad;
      attention::round_heads(precision, 4, q, k, v);
      CHECK_FALSE(std::isfinite(q(1, 5)));
      CHECK_FALSE(std::isfinite(v(2, 0)));
      CHECK(std::isfinite(q(1, 3)));
      CHECK(std::isfinite(q(2, 5)));
      CHECK(std::isfinite(v(2, 1)));
    }
  }
}

TEST_SUITE_END();
