#include "oa/solve/exact/spin/odd_clique.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace oa::solve {
namespace {

/// A clique of `size` different spins below n, with random signs.
OddClique random_clique(Rng& rng, int n, int size) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    all.push_back(i);
  }
  std::vector<Signed> members;
  for (int a = 0; a < size; ++a) {
    const auto k = rng.below(static_cast<std::uint32_t>(all.size()));
    members.push_back({all[k], rng.below(2) != 0});
    all.erase(all.begin() + k);
  }
  return OddClique::of(members);
}

std::vector<double> random_signs(Rng& rng, int n) {
  std::vector<double> s;
  for (int i = 0; i < n; ++i) {
    s.push_back(rng.below(2) != 0 ? 1.0 : -1.0);
  }
  return s;
}

double side(const OddClique& clique, const std::vector<double>& s) {
  double sum = 0.0;
  clique.each_pair(
      [&](int i, int k, double sign) { sum += sign * s[at(i)] * s[at(k)]; });
  return sum;
}

/// Products of n random unit vectors in a low dimension: many cliques are violated.
std::vector<double> random_products(Rng& rng, int n) {
  constexpr int kRank = 3;
  std::vector<std::array<double, kRank>> v(at(n));
  for (auto& vector : v) {
    double square = 0.0;
    for (double& number : vector) {
      number = rng.normal();
      square += number * number;
    }
    for (double& number : vector) {
      number /= std::sqrt(square);
    }
  }
  std::vector<double> x;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      double sum = i == k ? 1.0 : 0.0;
      for (int r = 0; r < kRank && i != k; ++r) {
        sum += v[at(i)][at(r)] * v[at(k)][at(r)];
      }
      x.push_back(sum);
    }
  }
  return x;
}

double violation(const OddClique& clique, int n, const std::vector<double>& x) {
  double sum = clique.least();
  clique.each_pair([&](int i, int k, double sign) { sum -= sign * x[at(i * n + k)]; });
  return sum;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("all spins fulfil an odd clique, and some do so with equality") {
    Rng rng(105);
    for (const int size : {3, 5}) {
      const OddClique clique = random_clique(rng, size, size);
      double least = 1e9;
      for (int bits = 0; bits < 1 << size; ++bits) {
        std::vector<double> s;
        for (int i = 0; i < size; ++i) {
          s.push_back((bits >> i & 1) != 0 ? 1.0 : -1.0);
        }
        least = std::min(least, side(clique, s));
      }
      CHECK(least == clique.least());
    }
  }

  TEST_CASE("a clique does not depend on the order of its members, nor on all signs") {
    const std::array<Signed, 3> members{{{4, true}, {1, false}, {2, true}}};
    const std::array<Signed, 3> reversed{{{2, false}, {4, false}, {1, true}}};
    CHECK(OddClique::of(members).key() == OddClique::of(reversed).key());
    CHECK(OddClique::of(members).member(1).minus);
  }

  TEST_CASE("cliques of a part are cliques of the whole") {
    Rng rng(102);
    constexpr int kSpins = 8;
    for (int t = 0; t < 1000; ++t) {
      OddClique whole = random_clique(rng, kSpins, t % 2 == 0 ? 3 : 5);
      whole.weight = 1.0;
      const int i = static_cast<int>(rng.below(kSpins - 1));
      const double sign = rng.below(2) != 0 ? 1.0 : -1.0;
      const auto part = contracted(std::vector{whole}, kSpins, i, sign);
      std::vector<double> s = random_signs(rng, kSpins);
      s[at(i)] = sign * s.back();
      std::vector<double> rest = s;
      rest.erase(rest.begin() + i);
      if (part.empty()) {
        CHECK(whole.member(whole.size - 1).spin == kSpins - 1);
      } else {
        CHECK(side(part[0], rest) == side(whole, s));
        CHECK(part[0].size == whole.size);
        CHECK(part[0].weight == 1.0);
      }
    }
  }

  TEST_CASE("cliques that become the same add up their weights") {
    const std::array<Signed, 3> one{{{0, false}, {1, false}, {2, false}}};
    const std::array<Signed, 3> other{{{1, false}, {2, false}, {4, true}}};
    std::vector both{OddClique::of(one), OddClique::of(other)};
    both[0].weight = 1.0;
    both[1].weight = 2.0;
    const auto part = contracted(both, 5, 0, -1.0);
    REQUIRE(part.size() == 1);
    CHECK(part[0].weight == 3.0);
  }

  TEST_CASE("all violated triangles are found, each once") {
    Rng rng(106);
    for (int t = 0; t < 30; ++t) {
      const int n = 3 + test::below(rng, 30);
      CAPTURE(n);
      const auto x = random_products(rng, n);
      const auto found = violated_triangles(n, x, 0.05, 100'000, {});
      std::set<decltype(OddClique().key())> keys;
      for (const Violated& v : found) {
        keys.insert(v.clique.key());
        CHECK(v.violation == doctest::Approx(violation(v.clique, n, x)));
      }
      CHECK(keys.size() == found.size());
      const auto first = violated_triangles(n, x, 0.05, 3, {});
      REQUIRE(first.size() == std::min<std::size_t>(3, found.size()));
      for (std::size_t k = 0; k < first.size(); ++k) {
        CHECK(first[k].clique.key() == found[k].clique.key());
      }
      std::size_t all = 0;
      for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
          for (int k = j + 1; k < n; ++k) {
            for (int odd = 0; odd < 4; ++odd) {
              const std::array<Signed, 3> members{
                  {{i, odd == 1}, {j, odd == 2}, {k, odd == 3}}};
              all += violation(OddClique::of(members), n, x) > 0.05 ? 1 : 0;
            }
          }
        }
      }
      CHECK(found.size() == all);
    }
  }

  TEST_CASE(
      "pentagons that are found are violated, and no exchange makes them more so") {
    Rng rng(107);
    for (int t = 0; t < 30; ++t) {
      const int n = 6 + test::below(rng, 10);
      CAPTURE(n);
      const auto x = random_products(rng, n);
      std::vector<OddClique> from;
      for (int k = 0; k < 10; ++k) {
        from.push_back(random_clique(rng, n, k % 2 == 0 ? 3 : 5));
      }
      const auto found = violated_pentagons(n, x, from, 0.1, {});
      CHECK(!found.empty());
      std::set<decltype(OddClique().key())> keys;
      for (const Violated& v : found) {
        keys.insert(v.clique.key());
        REQUIRE(v.clique.size == 5);
        CHECK(v.violation > 0.1);
        CHECK(v.violation == doctest::Approx(violation(v.clique, n, x)));
        for (int a = 0; a < 5; ++a) {
          std::array<Signed, 5> members{};
          for (int b = 0; b < 5; ++b) {
            members[at(b)] = v.clique.member(b);
          }
          members[at(a)].minus = !members[at(a)].minus;
          CHECK(violation(OddClique::of(members), n, x) < v.violation + 1e-6);
        }
      }
      CHECK(keys.size() == found.size());
    }
    CHECK(violated_pentagons(4, random_products(rng, 4), {}, 0.1, {}).empty());
  }

  TEST_CASE("the most violated constraints are kept") {
    Rng rng(108);
    const auto x = random_products(rng, 12);
    auto found = violated_triangles(12, x, 0.0, 1000, {});
    double most = 0.0;
    for (const Violated& v : found) {
      most = std::max(most, v.violation);
    }
    REQUIRE(found.size() > 3);
    keep_most_violated(3, found);
    REQUIRE(found.size() == 3);
    CHECK(found[0].violation == most);
    CHECK(found[1].violation >= found[2].violation);
  }
}

}  // namespace oa::solve
