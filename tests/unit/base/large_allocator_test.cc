#include "oa/base/large_allocator.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace oa {
namespace {

template <class T>
using Large = std::vector<T, LargeAllocator<T>>;

}  // namespace

TEST_SUITE("base") {
  TEST_CASE("a vector keeps its elements as it grows into huge pages") {
    Large<std::int32_t> v;
    for (std::int32_t i = 0; i < 3'000'000; ++i) {
      v.push_back(i);
    }
    std::vector<std::int32_t> same(v.size());
    std::iota(same.begin(), same.end(), 0);
    CHECK(std::equal(v.begin(), v.end(), same.begin(), same.end()));
    CHECK(reinterpret_cast<std::uintptr_t>(v.data()) % (1U << 21) == 0);  // NOLINT
    const Large<std::int32_t> copy = v;
    CHECK(copy == v);
  }

  TEST_CASE("an allocation beyond all memory is refused") {
    LargeAllocator<double> allocator;
    CHECK_THROWS_AS(
        (void)allocator.allocate(std::numeric_limits<std::size_t>::max() / 4),
        std::bad_alloc);
  }
}

}  // namespace oa
