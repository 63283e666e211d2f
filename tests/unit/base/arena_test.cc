#include "oa/base/arena.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace oa {
namespace {

bool all_zero(const void* piece, std::size_t bytes) {
  const auto* p = static_cast<const unsigned char*>(piece);
  return std::all_of(p, p + bytes, [](unsigned char b) { return b == 0; });
}

}  // namespace

TEST_SUITE("base") {
  TEST_CASE("an arena gives out zeroed, aligned pieces one behind the other") {
    Arena arena(256);
    auto* first = static_cast<std::byte*>(arena.allocate(1));
    auto* second = static_cast<std::byte*>(arena.allocate(64));
    auto* third = static_cast<std::byte*>(arena.allocate(65));
    CHECK(reinterpret_cast<std::uintptr_t>(first) % Arena::kAlignment == 0);  // NOLINT
    CHECK(second - first == 64);
    CHECK(third - second == 64);
    CHECK(all_zero(first, 256));
    CHECK(arena.high_water() == 256);
  }

  TEST_CASE("an arena refuses what it does not have") {
    Arena arena(128);
    (void)arena.allocate(64);
    CHECK_THROWS_AS((void)arena.allocate(65), std::bad_alloc);
    CHECK_THROWS_AS((void)arena.allocate(std::numeric_limits<std::size_t>::max()),
                    std::bad_alloc);
    CHECK(arena.allocate(64) != nullptr);
    CHECK_THROWS_AS((void)arena.allocate(1), std::bad_alloc);
    CHECK_THROWS_AS((void)Arena(0).allocate(1), std::bad_alloc);
  }

  TEST_CASE("released memory is given out again, zeroed, and the peak stays") {
    Arena arena(256);
    (void)arena.allocate(64);
    const std::size_t mark = arena.mark();
    void* piece = arena.allocate(192);
    std::memset(piece, 1, 192);
    arena.release(mark);
    CHECK(arena.high_water() == 256);
    CHECK(arena.allocate(128) == piece);
    CHECK(all_zero(piece, 128));
    CHECK(arena.high_water() == 256);
  }

  TEST_CASE("an arena without memory counts what one with memory gives out") {
    const auto make = [](Arena& arena) {
      void* piece = arena.allocate(100);
      const std::size_t mark = arena.mark();
      (void)arena.allocate(1000);
      arena.release(mark);
      (void)arena.allocate(10);
      return piece;
    };
    Arena counting;
    CHECK(make(counting) == nullptr);
    CHECK(counting.high_water() == 128 + 1024);
    CHECK(bytes_taken(make) == counting.high_water());
    Arena arena(counting.high_water());
    CHECK(make(arena) != nullptr);
    CHECK(arena.high_water() == counting.high_water());
  }

  TEST_CASE("a part of an arena has its own bytes and gives them back by itself") {
    Arena arena(320);
    Arena part = arena.part(128);
    void* behind = arena.allocate(64);
    std::memset(behind, 1, 64);
    for (int call = 0; call < 2; ++call) {
      const std::size_t mark = part.mark();
      CHECK(static_cast<std::byte*>(part.allocate(128)) + 128 == behind);
      CHECK_THROWS_AS((void)part.allocate(1), std::bad_alloc);
      part.release(mark);
    }
    CHECK(*static_cast<std::byte*>(behind) == std::byte{1});
    CHECK(arena.high_water() == 192);

    Arena counting;
    Arena counted = counting.part(128);
    CHECK(counted.allocate(1000) == nullptr);
    CHECK(counting.high_water() == 128);
  }

  TEST_CASE("pieces stay where they are when their arena moves") {
    Arena arena(128);
    auto* piece = static_cast<std::byte*>(arena.allocate(64));
    Arena other(std::move(arena));
    *piece = std::byte{1};
    CHECK(static_cast<std::byte*>(other.allocate(64)) == piece + 64);
    CHECK(other.high_water() == 128);
  }
}

}  // namespace oa
