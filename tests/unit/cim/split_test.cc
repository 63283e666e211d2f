#include "oa/cim/split.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/cim/optima.h"
#include "oa_test.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace oa;

namespace {

constexpr int kTop = 127;

/// min 1/2 x'Jx + h'x with whole numbers.
struct Whole {
  int n = 0;
  std::vector<std::int64_t> j;
  std::vector<std::int64_t> h;

  [[nodiscard]] std::int64_t energy(std::uint32_t x) const {
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) {
      if ((x >> i & 1U) == 0) {
        continue;
      }
      sum += h[at(i)];
      for (int k = 0; k < i; ++k) {
        sum += (x >> k & 1U) != 0 ? j[at(i) * at(n) + at(k)] : 0;
      }
    }
    return sum;
  }
  /// All x of the least energy, by exhaustive search along a Gray code.
  [[nodiscard]] std::vector<std::uint32_t> minima() const {
    std::vector<std::int64_t> fields = h;
    std::int64_t energy_now = 0;
    std::int64_t best = 0;
    std::uint32_t x = 0;
    std::vector<std::uint32_t> all{0};
    for (std::uint32_t step = 1; step < 1U << n; ++step) {
      const int i = __builtin_ctz(step);
      const std::int64_t sign = (x >> i & 1U) != 0 ? -1 : 1;
      energy_now += sign * fields[at(i)];
      x ^= 1U << i;
      for (int k = 0; k < n; ++k) {
        fields[at(k)] += sign * j[at(i) * at(n) + at(k)];
      }
      if (energy_now < best) {
        best = energy_now;
        all.clear();
      }
      if (energy_now == best) {
        all.push_back(x);
      }
    }
    return all;
  }
};

/// Coefficients of up to `bits` bits with their sign, uniform or of every magnitude.
Whole random_whole(Rng& rng, int n, int bits) {
  const bool magnitudes = rng.below(2) == 0;
  const auto draw = [&] {
    const double most = std::ldexp(1.0, bits - 1) - 1.0;
    const double size =
        magnitudes ? std::exp2(rng.uniform() * (bits - 1)) : rng.uniform() * most;
    return static_cast<std::int64_t>(rng.below(2) == 0 ? -size : size);
  };
  Whole w{n, std::vector<std::int64_t>(at(n) * at(n)), {}};
  for (int i = 0; i < n; ++i) {
    w.h.push_back(draw());
    for (int k = 0; k < i; ++k) {
      w.j[at(i) * at(n) + at(k)] = w.j[at(k) * at(n) + at(i)] = draw();
    }
  }
  return w;
}

struct Posed {
  qubo::Matrix j;
  std::vector<double> h;
  machine::Spins spins;
  cim::Optima optima;
};

Posed posed(const Whole& w) {
  const std::vector<double> j(w.j.begin(), w.j.end());
  const std::vector<double> h(w.h.begin(), w.h.end());
  Posed p{qubo::Matrix(w.n, j), h, {}, {}};
  p.spins = machine::spins_of(p.j, h);
  cim::OptimaFinder finder(p.j);
  p.optima = finder(h);
  return p;
}

std::uint32_t bits_of(const machine::Bits& x) {
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all |= std::uint32_t{x[i]} << i;
  }
  return all;
}

/// -s'Ms of a block; bit a of `s`: copy a is +1.
std::int64_t ising_energy(const machine::Block& block, std::uint32_t s) {
  std::int64_t sum = 0;
  for (int a = 0; a < block.spins(); ++a) {
    for (int b = 0; b < a; ++b) {
      const bool equal = (s >> a & 1U) == (s >> b & 1U);
      sum += equal ? -2 * block.row(a)[b] : 2 * block.row(a)[b];
    }
  }
  return sum;
}

/// The s of the least energy in which the last spin is +1.
std::vector<std::uint32_t> spins_of_least_energy(const machine::Block& block) {
  std::int64_t best = INT64_MAX;
  std::vector<std::uint32_t> all;
  for (std::uint32_t s = 1U << (block.spins() - 1); s < 1U << block.spins(); ++s) {
    const std::int64_t energy = ising_energy(block, s);
    if (energy < best) {
      best = energy;
      all.clear();
    }
    if (energy == best) {
      all.push_back(s);
    }
  }
  return all;
}

/// True if every minimum of the block, over all its spins, has copies that agree and
/// is an optimum of the problem.
bool keeps_all(const cim::Quantised& q, const Whole& w, std::int64_t least) {
  const std::vector<int> copies =
      q.copies.empty() ? std::vector<int>(at(w.n), 1) : q.copies;
  const auto good = [&](const machine::Bits& x) {
    std::vector<bool> broken;
    const machine::Bits own = cim::merged(copies, x, broken);
    return std::ranges::find(broken, true) == broken.end() &&
           w.energy(bits_of(own)) == least;
  };
  constexpr int kExhaustive = 16;
  const int spins = q.block.spins();
  if (spins <= kExhaustive) {
    const std::vector<std::uint32_t> all = spins_of_least_energy(q.block);
    return std::ranges::all_of(all, [&](std::uint32_t s) {
      machine::Bits x;
      for (int a = 0; a < q.block.n; ++a) {
        x.push_back(static_cast<std::uint8_t>(s >> a & 1U));
      }
      bool together = true;  // auxiliary spins agree
      for (int a = q.block.n; a < spins; ++a) {
        together = together && (s >> a & 1U) != 0;
      }
      return together && good(x);
    });
  }
  // Otherwise an exact search lists all optima of the QUBO, whose extra auxiliary spins
  // are variables here.
  const machine::Reduced r = machine::reduced(machine::task_matrix_of(q.block), 0);
  cim::OptimaFinder finder(r.j);
  const cim::Optima optima = finder(r.h);
  return optima.proved && std::ranges::all_of(optima.x, [&](const machine::Bits& x) {
           const auto extra = std::span(x).subspan(at(q.block.n));
           return std::ranges::find(extra, 0) == extra.end() &&
                  good({x.begin(), x.begin() + q.block.n});
         });
}

/// Spins of the plain way: equal copies of every spin, doubled until rounding to the
/// levels that they hold keeps every optimum.
int plainly_doubled(const Whole& w,
                    const machine::Spins& s,
                    std::int64_t least,
                    int top) {
  double most = 0.0;
  for (int i = 0; i < w.n; ++i) {
    most = std::max(most, std::abs(s.fields[at(i)]));
    for (int k = 0; k < i; ++k) {
      most = std::max(most, std::abs(s.row(i)[k]));
    }
  }
  for (int copies = 1;; copies *= 2) {
    const double scale = most > 0.0 ? 1.0 * top * copies * copies / most : 1.0;
    Whole rounded{w.n, std::vector<std::int64_t>(w.j.size()), {}};
    for (int i = 0; i < w.n; ++i) {
      auto sum = -std::llround(scale * s.fields[at(i)]);
      for (int k = 0; k < w.n; ++k) {
        const auto level = std::llround(scale * s.row(i)[k]);
        sum += level;
        rounded.j[at(i) * at(w.n) + at(k)] = -8 * level;
      }
      rounded.h.push_back(4 * sum);
    }
    const auto minima = rounded.minima();
    if (std::ranges::all_of(minima,
                            [&](std::uint32_t x) { return w.energy(x) == least; })) {
      return copies * (w.n + 1);
    }
  }
}

cim::WideLevels wide(int n, const std::vector<std::int64_t>& upper) {
  cim::WideLevels levels{n, std::vector<std::int64_t>(at(n + 1) * at(n + 1))};
  std::size_t next = 0;
  for (int i = 0; i <= n; ++i) {
    for (int k = i + 1; k <= n; ++k) {
      levels.cells[at(i) * at(n + 1) + at(k)] =
          levels.cells[at(k) * at(n + 1) + at(i)] = upper[next++];
    }
  }
  return levels;
}

/// The fewest copies in all, by exhaustive search.
int fewest(const cim::WideLevels& levels, int top) {
  const int spins = levels.n + 1;
  std::vector<int> c(at(spins), 1);
  int best = INT32_MAX;
  constexpr int kMax = 12;
  for (;;) {
    bool fits = true;
    for (int i = 0; i < spins; ++i) {
      for (int k = 0; k < i; ++k) {
        fits = fits &&
               std::abs(levels.at(i, k)) <= std::int64_t{top} * c[at(i)] * c[at(k)];
      }
    }
    best = fits ? std::min(best, std::accumulate(c.begin(), c.end(), 0)) : best;
    int i = 0;
    while (i < spins && c[at(i)] == kMax) {
      c[at(i++)] = 1;
    }
    if (i == spins) {
      return best;
    }
    ++c[at(i)];
  }
}

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("every optimum of 1,000 split problems is an optimum of the problem") {
  Rng rng(67);
  std::int64_t spins = 0;
  std::int64_t variables = 0;
  std::int64_t doubled = 0;
  int split = 0;
  for (int t = 0; t < 1000; ++t) {
    CAPTURE(t);
    const int top = t % 5 != 0 ? kTop : 7;  // 8 bits, or 4, where more need copies
    const int n = 2 + static_cast<int>(rng.below(top == kTop ? 15 : 6));
    const int bits = 10 + test::below(rng, 15);
    const Whole w = random_whole(rng, n, bits);
    const std::int64_t least = w.energy(w.minima().front());
    const Posed p = posed(w);
    REQUIRE(p.optima.proved);
    REQUIRE(w.energy(bits_of(p.optima.x.front())) == least);
    const cim::Quantised q =
        cim::quantise_split(p.spins, p.optima, top, 0, cim::kAllNodes, "t");
    CHECK(q.kept.every);
    CHECK(keeps_all(q, w, least));
    const int plain = plainly_doubled(w, p.spins, least, top);
    CHECK(q.block.spins() <= plain);
    spins += q.block.spins();
    variables += n + 1;
    doubled += plain;
    split += q.copies.empty() ? 0 : 1;
  }
  MESSAGE("spins of 1,000 problems: " << variables << " without copies, " << spins
                                      << " split, " << doubled << " doubled; " << split
                                      << " problems have copies");
  CHECK(split > 0);
}

TEST_CASE("a split without rounding has the energies of the problem") {
  Rng rng(3);
  for (int t = 0; t < 200; ++t) {
    CAPTURE(t);
    const int n = 2 + test::below(rng, 3);
    std::vector<std::int64_t> upper;
    for (int k = 0; k < n * (n + 1) / 2; ++k) {
      upper.push_back(static_cast<std::int64_t>(rng.below(41)) - 20);
    }
    constexpr int kSmall = 7;  // levels of 4 bits
    const cim::WideLevels levels = wide(n, upper);
    const std::vector<int> copies = cim::few_copies(levels, kSmall);
    CHECK(std::accumulate(copies.begin(), copies.end(), 0) == fewest(levels, kSmall));
    const auto block = cim::spread(levels, copies, kSmall);
    if (!block || block->spins() > 16) {
      continue;  // ties beyond 7
    }
    // All minima over all spins: copies agree, and the problem is at its least.
    const std::vector<std::uint32_t> all = spins_of_least_energy(*block);
    const auto problem_energy = [&](std::uint32_t s) {
      std::int64_t sum = 0;
      for (int i = 0; i <= n; ++i) {
        for (int k = 0; k < i; ++k) {
          sum += (s >> i & 1U) == (s >> k & 1U) ? -2 * levels.at(i, k)
                                                : 2 * levels.at(i, k);
        }
      }
      return sum;
    };
    std::int64_t least = INT64_MAX;
    for (std::uint32_t s = 0; s < 1U << (n + 1); ++s) {
      least = std::min(least, problem_energy(s));
    }
    for (const std::uint32_t s : all) {
      std::uint32_t own = 0;
      int next = 0;
      for (int i = 0; i <= n; ++i) {
        const std::uint32_t mask = (1U << copies[at(i)]) - 1U;
        const std::uint32_t mine = s >> next & mask;
        CHECK((mine == 0 || mine == mask));
        own |= (mine != 0 ? 1U : 0U) << i;
        next += copies[at(i)];
      }
      CHECK(problem_energy(own) == least);
    }
  }
}

// The guide of the vendor's SDK, "parameter precision", splits [[0, 18, -12], [18, 0,
// 1], [-12, 1, 0]] at 5 bits into 5 spins, and a matrix of 4 at 4 bits into 6, after
// rounding it to multiples of 3.  Its matrix of 5 spins needs 24 spins at its own
// increment of 0.475.
TEST_CASE("the vendor's examples need no more spins than its own splits") {
  const auto sum = [](const cim::WideLevels& levels, int top) {
    const auto copies = cim::few_copies(levels, top);
    CHECK(cim::spread(levels, copies, top).has_value());
    return std::accumulate(copies.begin(), copies.end(), 0);
  };
  CHECK(sum(wide(2, {18, -12, 1}), 15) == 4);
  CHECK(sum(wide(3, {-5, 0, 13, 0, 0, 0}), 7) == 5);
  machine::Spins five{4, std::vector<double>(16), {0.55, 60.0, -5120.0, 1.025}};
  const double rows[4][4] = {
      {0, -10, 0, 20}, {-10, 0, 6120, 0.5}, {0, 6120, 0, 0}, {20, 0.5, 0, 0}};
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) {
      five.couplings[at(i) * 4 + at(k)] = rows[i][k];
    }
  }
  // This problem in 0/1 variables: couplings -J / 8, fields as in spins_of().
  std::vector<double> j(16);
  std::vector<double> h(4);
  for (int i = 0; i < 4; ++i) {
    double couplings = 0.0;
    for (int k = 0; k < 4; ++k) {
      j[at(i) * 4 + at(k)] = -8.0 * rows[i][k];
      couplings += rows[i][k];
    }
    h[at(i)] = 4.0 * (couplings - five.fields[at(i)]);
  }
  const qubo::Matrix matrix(4, j);
  cim::OptimaFinder finder(matrix);
  const cim::Optima optima = finder(h);
  const cim::Quantised q =
      cim::quantise_split(five, optima, kTop, 0, cim::kAllNodes, "five");
  CHECK(q.kept.every);
  MESSAGE("5 x 5: " << q.block.spins() << " spins");
  CHECK(q.block.spins() <= 24);
}

TEST_CASE("a split beyond the machine's spins is refused with what it needs") {
  Rng rng(5);
  for (int t = 0; t < 200; ++t) {
    const Whole w = random_whole(rng, 10, 24);
    const Posed p = posed(w);
    const auto split = [&](int most) {
      return cim::quantise_split(p.spins, p.optima, kTop, most, cim::kAllNodes, "w");
    };
    const int needed = split(0).block.spins();
    CHECK(split(needed).block.spins() == needed);
    if (needed == 11) {
      continue;
    }
    CHECK_THROWS_WITH_AS((void)split(needed - 1),
                         ("w: the smallest split that keeps every optimum needs " +
                          std::to_string(needed) + " spins (the machine has " +
                          std::to_string(needed - 1) + ")")
                             .c_str(),
                         InputError);
    CHECK_THROWS_WITH_AS(
        (void)split(10),
        "w needs 11 spins even without copies (the machine has 10), so "
        "no split fits",
        InputError);
    return;
  }
  FAIL("no problem needs copies");
}

TEST_CASE("the majority of copies decides, and disagreement is reported") {
  std::vector<bool> broken;
  CHECK(cim::merged({1, 3, 2}, machine::Bits{1, 1, 0, 1, 0, 1}, broken) ==
        machine::Bits{1, 1, 0});
  CHECK(broken == std::vector<bool>{false, true, true});
}

TEST_SUITE_END();
