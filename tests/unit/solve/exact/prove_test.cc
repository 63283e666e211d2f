#include "oa/solve/exact/prove.h"

#include "oa/solve/portfolio/portfolio.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

/// A chain of complete blocks, each attached to the first variable of the block before,
/// with weights of -1 and 1.
qubo::Quadratic chain_of_blocks(Rng& rng, int blocks, int size) {
  qubo::Quadratic f(blocks * (size - 1) + 1);
  std::vector<qubo::Term> terms;
  for (int block = 0; block < blocks; ++block) {
    const int first = block * (size - 1);
    for (int i = first; i < first + size; ++i) {
      for (int k = i + 1; k < first + size; ++k) {
        const double weight = rng.below(2) == 0 ? -2.0 : 2.0;
        terms.push_back({i, k, weight});
        terms.push_back({i, i, -0.5 * weight});
        terms.push_back({k, k, -0.5 * weight});
      }
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a problem of blocks is proved block by block, to the same optimum") {
    Rng rng(89);
    const auto f = chain_of_blocks(rng, 2, 26);
    const Solution known = solution_at_zero(f);
    const PartTask task{.f = f, .settings = {}, .known = known};
    constexpr std::int64_t kMany = 1'000'000'000;
    const Result whole = prove_without_tree(task, {kMany, {kMany}, false}, {});
    const Result split = prove_without_tree(task, {kMany, {kMany}}, {});
    REQUIRE(whole.status == qubo::Status::ProvedOptimal);
    REQUIRE(split.status == qubo::Status::ProvedOptimal);
    CHECK(split.best[0].value() == whole.best[0].value());
    CHECK(split.bound == whole.bound);
  }

  TEST_CASE("blocks are proved with few nodes where the whole is not") {
    Rng rng(91);
    const auto f = chain_of_blocks(rng, 4, 40);
    const Solution known = solution_at_zero(f);
    const PartTask task{.f = f, .settings = {}, .known = known};
    const Result whole = prove_without_tree(task, {20, {20}, false}, {});
    const Result split = prove_without_tree(task, {20, {20}}, {});
    CHECK(whole.status != qubo::Status::ProvedOptimal);
    REQUIRE(split.status == qubo::Status::ProvedOptimal);
    CHECK(split.best[0].value() <= whole.best[0].value());
    CHECK(split.bound >= whole.bound);
  }

  TEST_CASE("a large problem of small blocks is proved, by default, too") {
    Rng rng(97);
    const auto f = chain_of_blocks(rng, 11, 32);
    REQUIRE(f.size() > kMaxOrdered);
    const Solution known = solution_at_zero(f);
    const PartTask task{.f = f, .settings = {}, .known = known};
    const Result split = solve_portfolio(task, rng, {});
    REQUIRE(split.status == qubo::Status::ProvedOptimal);
    CHECK(split.best[0].value() == solve_exactly(task, rng, {}).best[0].value());
  }
}

}  // namespace oa::solve
