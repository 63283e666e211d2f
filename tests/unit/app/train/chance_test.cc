#include "app/train/chance.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

using namespace oa;

TEST_SUITE_BEGIN("app");

TEST_CASE("right answers that luck may give are no success") {
  constexpr std::array<std::int64_t, 3> kEven{2, 2, 2};
  // Six trials of 1/3 each: at least four succeed by 73/729, at least five by 13/729.
  CHECK_FALSE(app::chance_warning(2, kEven).empty());
  CHECK_FALSE(app::chance_warning(4, kEven).empty());
  CHECK(app::chance_warning(5, kEven).empty());
  // 90 % are of one class: to name it always is no success either.
  constexpr std::array<std::int64_t, 2> kUneven{900, 100};
  CHECK_FALSE(app::chance_warning(900, kUneven).empty());
  CHECK(app::chance_warning(950, kUneven).empty());
  CHECK_FALSE(app::chance_warning(0, kUneven).empty());
}

TEST_CASE("a comparison with chance needs several classes and held-out examples") {
  constexpr std::array<std::int64_t, 2> kOne{7, 0};
  CHECK(app::chance_warning(7, kOne).empty());
  CHECK(app::chance_warning(0, {}).empty());
}

TEST_SUITE_END();
