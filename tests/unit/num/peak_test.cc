#include "oa/num/peak.h"

#include "ref/targets.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

TEST_SUITE_BEGIN("num");

TEST_CASE("the loop of multiply-adds counts its operations, on every instruction set") {
  ref::on_each_target([&] {
    float sum = 0.0F;
    CHECK(num::multiply_add_loop(0, sum) == 0);
    const auto once = num::multiply_add_loop(1, sum);
    CHECK(once > 0);
    CHECK(num::multiply_add_loop(1000, sum) == 1000 * once);
    // Every sum goes to 2, the fixed point of x/2 + 1.
    sum = 0.0F;
    num::multiply_add_loop(1000, sum);
    CHECK(sum == 24.0F);
  });
}

TEST_CASE("floats are copied whatever their number, on every instruction set") {
  ref::on_each_target([&] {
    for (const std::size_t size : {0, 1, 15, 16, 33, 1000}) {
      std::vector<float> from(size);
      for (std::size_t i = 0; i < size; ++i) {
        from[i] = static_cast<float>(i);
      }
      std::vector<float> to(size + 1, -1.0F);
      num::copy_floats(from, std::span(to).first(size));
      CHECK(std::equal(from.begin(), from.end(), to.begin()));
      CHECK(to.back() == -1.0F);
    }
  });
}

TEST_SUITE_END();
