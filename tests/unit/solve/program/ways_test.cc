#include "oa/solve/program/ways.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/qubo/energies.h"
#include "oa/solve/program/whole_program.h"
#include "ref/random_quadratic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace oa {
namespace {

constexpr int kSize = 12;

/// Between `low` and `high` of every other variable are 1.
qubo::ProgramRow row(int first, std::int64_t low, std::int64_t high) {
  qubo::ProgramRow row;
  for (std::int32_t i = first; i < kSize; i += 2) {
    row.entries.push_back({i, 1});
  }
  row.most = std::ssize(row.entries);
  row.low = low;
  row.high = high;
  return row;
}

}  // namespace

TEST_CASE("ways find the minimum of small programs") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const qubo::Quadratic f = ref::normal_quadratic(rng, kSize, 0.7);
    const std::vector<qubo::ProgramRow> rows{row(0, 2, 3), row(1, 1, 4)};
    const auto value = [&](std::span<const std::uint8_t> x) -> TwoDoubles {
      return solve::feasible(rows, x) ? TwoDoubles(qubo::energy(f, x))
                                      : std::numeric_limits<double>::infinity();
    };
    TwoDoubles least = std::numeric_limits<double>::infinity();
    for (std::uint32_t bits = 0; bits < 1U << kSize; ++bits) {
      least = std::min(least, value(ref::bits_of(bits, kSize)));
    }
    TwoDoubles best = std::numeric_limits<double>::infinity();
    const solve::WaySettings settings{1,
                                      [&](std::span<const std::uint8_t> x) {
                                        best = std::min(best, value(x));
                                        return value(x);
                                      },
                                      [&] { return best <= least; }};
    const solve::Exchange exchange(f, rows);
    const solve::Chains chains(f, rows, solve::Stop());
    const std::vector<std::uint8_t> start(kSize);  // violates both rows
    solve::Ways(exchange, chains, rows, settings)
        .run(start, value(start), Rng(seed), solve::Stop());
    CHECK(best == least);
  }
}

}  // namespace oa
