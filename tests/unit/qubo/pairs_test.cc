#include "oa/qubo/pairs.h"

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <memory>
#include <utility>

namespace oa::qubo {
namespace {

Pairs made(int n, std::span<const Term> terms, std::vector<Term>& rests) {
  const std::array<std::span<const Term>, 1> lists{terms};
  return {n, lists, rests};
}

/// Every entry of every row.
std::map<std::pair<int, int>, double> entries(const Pairs& pairs, double factor = 1.0) {
  std::map<std::pair<int, int>, double> all;
  for (int i = 0; i < pairs.size(); ++i) {
    int before = -1;
    const Row row = pairs.row(i, factor);
    std::size_t count = 0;
    for (const Coupling& c : row) {
      CHECK(c.other > before);
      CHECK(c.weight != 0.0);
      before = c.other;
      all[{i, c.other}] = c.weight;
      ++count;
    }
    CHECK(row.size() == count);
    CHECK(row.empty() == (count == 0));
  }
  CHECK(pairs.count() * 2 == std::ssize(all));
  return all;
}

}  // namespace

TEST_SUITE("qubo") {
  TEST_CASE("a number has the least width that holds it") {
    CHECK(width_of(0.0) == Width::Int8);
    CHECK(width_of(-128.0) == Width::Int8);
    CHECK(width_of(128.0) == Width::Int16);
    CHECK(width_of(32768.0) == Width::Float);
    CHECK(width_of(0.5) == Width::Float);
    CHECK(width_of(0.1) == Width::Double);
    CHECK(width_of(1e300) == Width::Double);
    Numbers all(Width::Int8, std::size_t{2});
    all.set(0, 7.0);
    all.set(1, 300.0);
    CHECK(all.width() == Width::Int16);
    all.push_back(0.1);
    CHECK(all.width() == Width::Double);
    CHECK(all[0] == 7.0);
    CHECK(all[1] == 300.0);
    CHECK(all[2] == 0.1);
    all.set(2, -1.0);
    all.narrow();
    CHECK(all.width() == Width::Int16);
    CHECK(all[1] == 300.0);
  }

  TEST_CASE("pairs are what their terms add up to, sparse and dense, in every width") {
    int dense = 0;
    std::map<Width, int> widths;
    test::each_fork(Rng(61), 400, [&](Rng& rng) {
      const int n = 2 + test::below(rng, 12);
      const double unit = std::array{1.0, 100.0, 0.25, 1e-3 + 0x1p-60}[rng.below(4)];
      std::vector<Term> terms;
      std::map<std::pair<int, int>, double> wanted;
      for (unsigned left = rng.below(3U * static_cast<unsigned>(n)); left > 0; --left) {
        const auto i = test::below(rng, n);
        const auto k = test::below(rng, n);
        // Sums of a few of these are exact.
        const double weight = (static_cast<double>(rng.below(7)) - 3.0) * unit;
        terms.push_back({i, k, weight});
        if (i != k) {
          wanted[{i, k}] += weight;
          wanted[{k, i}] += weight;
        }
      }
      std::erase_if(wanted, [](const auto& entry) { return entry.second == 0.0; });
      std::vector<Term> rests;
      const Pairs pairs = made(n, terms, rests);
      if (rests.empty()) {
        CHECK(entries(pairs) == wanted);
      }
      dense += pairs.dense() ? 1 : 0;
      ++widths[pairs.weights().width()];
    });
    CHECK(dense > 50);
    CHECK(dense < 350);
    CHECK(widths.size() == 4);
  }

  TEST_CASE("the part of a sum beyond a double is a rest, sparse and dense") {
    for (const int n : {2, 200}) {
      std::vector<Term> rests;
      const std::vector<Term> terms{{0, 1, 1.0}, {1, 0, 0x1p-60}, {0, 1, 0x1p-120}};
      const Pairs pairs = made(n, terms, rests);
      CHECK(pairs.dense() == (n == 2));
      CHECK(entries(pairs) ==
            std::map<std::pair<int, int>, double>{{{0, 1}, 1.0}, {{1, 0}, 1.0}});
      REQUIRE(rests.size() == 2);
      CHECK(rests[0].weight == 0x1p-60);
      CHECK(rests[1].weight == 0x1p-120);
    }
  }

  TEST_CASE("a square matrix gives x'Qx in narrow numbers") {
    const auto square = [](std::span<const double> q, int n) {
      Numbers numbers(Width::Int8, std::size_t{0});
      for (const double value : q) {
        numbers.push_back(value);
      }
      return Quadratic(n, Vartype::Binary, std::move(numbers));
    };
    // Symmetric: sums are even, and half of them fits.
    const Quadratic f = square(std::array{5.0, 100.0, 100.0, -7.0}, 2);
    CHECK(f.linear == std::vector<double>{5.0, -7.0});
    CHECK(f.couplings().weights().width() == Width::Int8);
    CHECK((*f.row(0).begin()).weight == 200.0);
    CHECK(energy(f, std::vector<std::uint8_t>{1, 1}) == 198.0);
    // Not symmetric: wider.
    const Quadratic g = square(std::array{0.0, 100.0, 101.0, 0.0}, 2);
    CHECK(g.couplings().weights().width() == Width::Int16);
    CHECK((*g.row(1).begin()).weight == 201.0);
    // A sum that is not a double.
    const Quadratic h = square(std::array{0.0, 0.1, 0.7, 0.0}, 2);
    REQUIRE(h.rests().size() == 1);
    CHECK(exact_energy(h, std::vector<std::uint8_t>{1, 1}).two().rest ==
          h.rests()[0].weight);
    // Few entries: sparse.
    std::vector<double> few(100 * 100);
    few[1] = 3.0;
    few[100] = -1.0;
    const Quadratic s = square(few, 100);
    CHECK_FALSE(s.couplings().dense());
    CHECK(s.pairs() == 1);
    CHECK((*s.row(0).begin()).weight == 2.0);
  }

  TEST_CASE("a symmetric matrix that is borrowed stays where it is") {
    constexpr int kSize = 70;
    Rng rng(3);
    std::vector<std::int8_t> cells(kSize * kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        cells[i * kSize + k] = cells[k * kSize + i] =
            static_cast<std::int8_t>(test::below(rng, 255) - 127);
      }
    }
    const std::span<const std::byte> bytes = std::as_bytes(std::span(cells));
    const auto owner = std::make_shared<int>(0);
    const auto quadratic = [&](Vartype type, bool borrow) {
      Numbers::Memory own(bytes.begin(), bytes.end());
      return borrow ? Quadratic(kSize, type, Numbers(Width::Int8, bytes, owner))
                    : Quadratic(kSize, type, Numbers(Width::Int8, std::move(own)));
    };
    for (const Vartype type : {Vartype::Binary, Vartype::Spin}) {
      const Quadratic f = quadratic(type, true);
      const Quadratic g = quadratic(type, false);
      CHECK(f.couplings().weights().is_borrowed());
      CHECK_FALSE(g.couplings().weights().is_borrowed());
      CHECK(owner.use_count() == 2);
      CHECK(entries(f.couplings(), f.factor()) == entries(g.couplings(), g.factor()));
      CHECK(f.linear == g.linear);
      CHECK(f.offset == g.offset);
      for (int round = 0; round < 20; ++round) {
        const auto x = test::random_x(rng, kSize);
        CHECK(energy(f, x) == energy(g, x));
      }
      for (std::size_t i = 0; i < kSize; ++i) {
        const auto& a = f.couplings().sums()[i];
        const auto& b = g.couplings().sums()[i];
        CHECK(f.factor() * static_cast<double>(a.positive) ==
              g.factor() * static_cast<double>(b.positive));
        CHECK(f.factor() * static_cast<double>(a.negative) ==
              g.factor() * static_cast<double>(b.negative));
      }
    }
    // What is not symmetric is copied, and stays as it is.
    cells[1] = static_cast<std::int8_t>(cells[kSize] + 1);
    const std::vector<std::int8_t> before = cells;
    CHECK_FALSE(quadratic(Vartype::Binary, true).couplings().weights().is_borrowed());
    CHECK(cells == before);
    CHECK(owner.use_count() == 1);
  }

  TEST_CASE("functions of other variables and of the other sign share the couplings") {
    Quadratic f(3);
    f.vartype = Vartype::Spin;
    f.add(Terms{{0, 1, 3.0}, {1, 2, -5.0}});
    const Quadratic g = negated(converted(f, Vartype::Binary).f);
    CHECK(&g.couplings() == &f.couplings());
    CHECK(g.factor() == -4.0);
    CHECK((*g.row(0).begin()).weight == -12.0);
  }
}

}  // namespace oa::qubo
