#include "oa/encode/encode.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace oa;

TEST_SUITE_BEGIN("encode");

TEST_CASE("a causal head becomes problems of 1 to n variables") {
  num::Matrix j(3, 3);
  num::Matrix h(3, 3);
  num::Matrix v(3, 2);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      j(i, k) = static_cast<float>(i + k);
      h(i, k) = static_cast<float>(10 * i + k);
    }
    v(i, 0) = static_cast<float>(i);
  }
  const std::array heads{
      attention::Problem{j, h, v, 2.0F, true},
      attention::Problem{j, h, v, 1.0F, false},
  };
  qubo::Problem example;
  example.index = 9;
  example.label = 4;
  example.targets.per_row = 1;
  example.targets.numbers = {-1, 2, -1};
  example.residual.assign(6, 0.5F);
  const std::vector<qubo::Problem> all = encode::encode(heads, 1, example);
  REQUIRE(all.size() == 2);
  const qubo::Problem& causal = all[0];
  CHECK(causal.sizes == std::vector{1, 2, 3});
  CHECK(causal.h == std::vector<float>{0, 10, 11, 20, 21, 22});
  CHECK(causal.v == std::vector<float>{0, 0, 2, 0, 4, 0});
  CHECK(causal.residual == example.residual);
  CHECK(causal.targets.numbers == example.targets.numbers);
  CHECK(all[1].sizes.empty());
  CHECK(all[1].h.size() == 9);
  CHECK(all[1].residual.empty());
  CHECK(all[1].targets.numbers.empty());
  for (int head = 0; head < 2; ++head) {
    const qubo::Problem& p = all[static_cast<std::size_t>(head)];
    CHECK(p.index == 9);
    CHECK(p.label == 4);
    CHECK(p.place.layer == 1);
    CHECK(p.place.head == head);
    CHECK(p.place.heads == 2);
  }
}

TEST_CASE("queries outside of the selection are left out") {
  num::Matrix j(3, 3);
  num::Matrix h(3, 3);
  const num::Matrix v(3, 2);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      h(i, k) = static_cast<float>(10 * i + k);
    }
  }
  const std::array heads{attention::Problem{j, h, v, 1.0F, true},
                         attention::Problem{j, h, v, 1.0F, false}};
  const std::vector<qubo::Problem> all = encode::encode(heads, 0, {}, std::array{0, 2});
  CHECK(all[0].n == 2);
  CHECK(all[0].sizes == std::vector{1, 3});
  CHECK(all[0].h == std::vector<float>{0, 20, 21, 22});
  CHECK(all[1].n == 2);
  CHECK(all[1].sizes.empty());
  CHECK(all[1].h == std::vector<float>{0, 1, 2, 20, 21, 22});
}

TEST_SUITE_END();
