#include "oa/solve/exact/tree/blocks.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace oa::solve {
namespace {

/// The first of all minima, by trying all.
Result try_all(const PartTask& task, const Stop& /*stop*/) {
  const int n = task.f.size();
  Result result;
  result.status = qubo::Status::ProvedOptimal;
  result.nodes = 1;
  for (unsigned bits = 0; bits < (1U << n); ++bits) {
    Solution s = solution_at(task.f, ref::bits_of(bits, n));
    if (result.best.empty() || s.value() < result.best[0].value()) {
      result.best = {std::move(s)};
    }
  }
  result.bound = result.best[0].energy;
  return result;
}

Result give_up(const PartTask& task, const Stop& /*stop*/) {
  Result result;
  result.best = {task.known};
  return result;
}

struct Fallen {
  qubo::Quadratic f;
  int largest = 0;  ///< variables of the largest block
  int blocks = 0;
};

/// Complete blocks joined at single variables, and sometimes separate parts.
/// `spins`: f(x) = f(1 - x).
Fallen blocks_that_hang(Rng& rng, int most, bool spins) {
  std::vector<qubo::Term> terms;
  int n = 1 + test::below(rng, 2);  // two variables without a coupling
  Fallen made;
  const auto weight = [&] { return static_cast<double>(rng.below(9)) - 4.5; };
  while (n < most) {
    const int more = std::min(most - n, 1 + test::below(rng, 4));
    std::vector<int> block{static_cast<int>(rng.below(static_cast<unsigned>(n)))};
    for (int k = 0; k < more; ++k) {
      block.push_back(n++);
    }
    for (std::size_t a = 0; a < block.size(); ++a) {
      for (std::size_t b = a + 1; b < block.size(); ++b) {
        terms.push_back({block[a], block[b], weight()});
      }
    }
    made.largest = std::max(made.largest, more + 1);
    ++made.blocks;
  }
  for (int i = 0; i < n && !spins; ++i) {
    terms.push_back({i, i, weight()});
  }
  if (spins) {
    const std::vector<qubo::Term> pairs = terms;
    for (const qubo::Term& t : pairs) {
      terms.push_back({t.first, t.first, -0.5 * t.weight});
      terms.push_back({t.second, t.second, -0.5 * t.weight});
    }
  }
  made.f = qubo::Quadratic(n);
  made.f.add(terms);
  made.f.offset = 0.125;
  return made;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("blocks that hang on others are minimised away, all but the largest") {
    int split = 0;
    test::each_fork(Rng(131), 600, [&](Rng& rng, int t) {
      const Fallen made = blocks_that_hang(rng, 3 + test::below(rng, 10), t % 3 == 0);
      const qubo::Quadratic& f = made.f;
      const Solution known = solution_at_zero(f);
      int rest = 0;
      const auto solve_rest = [&](const PartTask& task, const Stop& stop) {
        rest = task.f.size();
        CHECK(task.known.value() <= known.value());
        return try_all(task, stop);
      };
      const auto found = solve_by_blocks(
          {.f = f, .settings = {}, .known = known}, try_all, solve_rest, 0.5, {});
      REQUIRE(found.has_value() == (made.blocks > 1));
      if (found) {
        const Solution& best = found->best.front();
        CHECK(best.energy == ref::best_value(f));
        CHECK(best.energy == qubo::energy(f, best.x));
        CHECK(found->bound == best.energy);
        CHECK(rest >= made.largest);
        CHECK(rest <= made.largest + 1);  // and variables without a coupling
        CHECK(found->nodes > 1);
        ++split;
      }
    });
    CHECK(split > 300);
  }

  TEST_CASE(
      "blocks without proof stay, and so do the blocks that they are attached to") {
    int kept = 0;
    int split = 0;
    test::each_fork(Rng(137), 600, [&](Rng& rng, int t) {
      const Fallen made = blocks_that_hang(rng, 12, t % 3 == 0);
      const Solution known =
          try_all({.f = made.f, .settings = {}, .known = {}}, {}).best[0];
      const auto sometimes = [&](const PartTask& task, const Stop& stop) {
        return rng.below(3) == 0 ? give_up(task, stop) : try_all(task, stop);
      };
      int rest = 0;
      const auto solve_rest = [&](const PartTask& task, const Stop& /*stop*/) {
        rest = task.f.size();
        // The known solution is the minimum of the rest, too.
        CHECK(task.known.energy == known.energy);
        return give_up(task, {});
      };
      const auto found = solve_by_blocks({.f = made.f, .settings = {}, .known = known},
                                         sometimes,
                                         solve_rest,
                                         0.5,
                                         {});
      if (found) {
        CHECK(found->status == qubo::Status::BestFound);
        CHECK(found->best.front().energy == known.energy);
        kept += rest > made.largest + 1 ? 1 : 0;
        ++split;
      }
    });
    CHECK(split > 300);
    CHECK(kept > 100);
  }

  TEST_CASE("better solutions are reported for the whole problem") {
    Rng rng(139);
    const Fallen made = blocks_that_hang(rng, 12, false);
    const Solution known = solution_at_zero(made.f);
    PartTask task{.f = made.f, .settings = {}, .known = known};
    std::vector<double> told;
    task.improved = [&](std::span<const std::uint8_t> x) {
      told.push_back(qubo::energy(made.f, x));
    };
    const auto solve_rest = [](const PartTask& part, const Stop& stop) {
      Result result = try_all(part, stop);
      part.improved(result.best.front().x);
      return result;
    };
    REQUIRE(solve_by_blocks(task, try_all, solve_rest, 0.5, {}));
    REQUIRE(told.size() == 2);
    CHECK(told[0] <= known.energy);
    CHECK(told[1] == ref::best_value(made.f));
  }

  TEST_CASE("a graph without cut vertices is not split, nor is anything in no time") {
    qubo::Quadratic ring(5);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < 5; ++i) {
      terms.push_back({std::min(i, (i + 1) % 5), std::max(i, (i + 1) % 5), 1.0});
    }
    ring.add(terms);
    const Solution of_ring = solution_at_zero(ring);
    CHECK(!solve_by_blocks(
        {.f = ring, .settings = {}, .known = of_ring}, try_all, try_all, 0.5, {}));
    Rng rng(149);
    const Fallen made = blocks_that_hang(rng, 12, false);
    const Solution known = solution_at_zero(made.f);
    CHECK(!solve_by_blocks({.f = made.f, .settings = {}, .known = known},
                           try_all,
                           try_all,
                           0.5,
                           Stop({}, 0.0)));
  }
}

}  // namespace oa::solve
