#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

using oa::Rng;

TEST_SUITE_BEGIN("base");

TEST_CASE("philox gives the known answers of its authors") {
  // Random123's kat_vectors, philox4x32, 10 rounds.
  using Block = std::array<std::uint32_t, 4>;
  CHECK(Rng::philox({0, 0, 0, 0}, {0, 0}) ==
        Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Rng::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                    {0xffffffff, 0xffffffff}) ==
        Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(Rng::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                    {0xa4093822, 0x299f31d0}) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a fork depends on the path to it, not on earlier draws") {
  Rng a(7);
  const std::uint64_t before = a.fork(3).u64();
  a.u64();
  a.normal();
  CHECK(a.fork(3).u64() == before);
  CHECK(a.fork(4).u64() != before);
  CHECK(Rng(8).fork(3).u64() != before);
  CHECK(a.fork(3).fork(0).u64() != before);
}

TEST_CASE("streams with neighbouring numbers share no draws") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t k = 0; k < 200; ++k) {
    Rng stream = Rng(1).fork(k);
    for (int i = 0; i < 50; ++i) {
      CHECK(seen.insert(stream.u64()).second);
    }
  }
}

TEST_CASE("uniform draws fill the unit interval evenly") {
  Rng rng(11);
  std::array<int, 10> bins{};
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    ++bins[static_cast<std::size_t>(u * 10)];
  }
  // Five standard deviations of a binomial count: sqrt(1e5 * 0.09) = 95.
  for (const int count : bins) {
    CHECK(std::abs(count - kDraws / 10) < 475);
  }
}

TEST_CASE("normal draws have the moments of a normal") {
  Rng rng(5);
  constexpr int kDraws = 100000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = rng.normal();
    sum += z;
    squares += z * z;
  }
  // Standard errors: 0.0032 of the mean, 0.0045 of the variance; five of them.
  CHECK(std::abs(sum / kDraws) < 0.016);
  CHECK(std::abs(squares / kDraws - 1.0) < 0.023);
}

TEST_CASE("below(n) reaches every value and no other") {
  Rng rng(3);
  for (const std::uint32_t n : {1U, 2U, 3U, 7U, 1000U}) {
    std::vector<int> hits(n, 0);
    for (std::uint32_t i = 0; i < 40 * n; ++i) {
      const std::uint32_t v = rng.below(n);
      REQUIRE(v < n);
      ++hits[v];
    }
    // Missing one of n values in 40n draws has probability below n * exp(-40).
    CHECK(std::ranges::count(hits, 0) == 0);
  }
}

TEST_CASE("a shuffle permutes, and every order comes up") {
  std::set<std::vector<int>> orders;
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    std::vector<int> items{1, 2, 3, 4};
    rng.shuffle(std::span(items));
    orders.insert(items);
    std::ranges::sort(items);
    CHECK(items == std::vector<int>{1, 2, 3, 4});
  }
  CHECK(orders.size() == 24);
}

TEST_SUITE_END();
