#include "oa/solve/conflict/cover.h"

#include "oa/base/index.h"
#include "random_conflicts.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

/// The most that an independent set of vertices outside `without` weighs.
std::int64_t heaviest(const Conflicts& c, std::span<const int> without) {
  std::int64_t most = 0;
  for (unsigned bits = 0; bits < 1U << c.size(); ++bits) {
    std::vector<int> chosen;
    bool valid = true;
    for (int v = 0; v < c.size() && valid; ++v) {
      if (((bits >> v) & 1U) != 0) {
        valid = std::ranges::find(without, v) == without.end() &&
                std::ranges::none_of(chosen, [&](int u) {
                  return std::ranges::binary_search(c.row(v), u);
                });
        chosen.push_back(v);
      }
    }
    most = valid ? std::max(most, c.value(chosen)) : most;
  }
  return most;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE(
      "independent sets without the remaining vertices weigh no more than asked") {
    test::each_fork(Rng(241), 1000, [&](Rng& rng, int t) {
      const auto f = random_conflicts(rng,
                                      {.n = 4 + t % 7,
                                       .density = 0.1 + 0.8 * rng.uniform(),
                                       .most_weight = 1 + t % 6});
      const auto c = find_conflicts(f, {});
      if (!c) {
        return;
      }
      std::vector<int> order(at(c->size()));
      std::iota(order.begin(), order.end(), 0);
      const ConflictRows rows(*c, order);
      Cover cover(rows);
      std::vector<Word> open(rows.words());
      for (const int v : order) {
        set_bit(open, v);
      }
      REQUIRE(cover.bound(open, c->weights) >= heaviest(*c, {}));
      const Stop never;
      Pace pace(never);
      for (std::int64_t most = 0; most < 12; ++most) {
        REQUIRE(heaviest(*c, cover.remaining(open, c->weights, most, pace)) <= most);
      }
    });
  }
}

}  // namespace oa::solve
