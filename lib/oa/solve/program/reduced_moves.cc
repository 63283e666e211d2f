#include "oa/solve/program/reduced_moves.h"

#include "oa/base/index.h"
#include "oa/solve/lattice/reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::size_t kMinBundles = 6;
constexpr std::size_t kMaxBundles = 120;
constexpr double kOwnShare = 0.1;       // of the mean cost of a number, for each unit
constexpr std::int64_t kUnit = 10'000;  // a number changed by 1, in the lattice

using Square = std::vector<std::vector<double>>;

/// Lists the bundles that rows connect.
std::vector<std::vector<std::int32_t>> connected(
    int count, std::span<const std::vector<std::int32_t>> rows) {
  std::vector<std::int32_t> above(at(count));
  std::iota(above.begin(), above.end(), 0);
  const auto top = [&](std::int32_t b) {
    while (above[at(b)] != b) {
      b = above[at(b)] = above[at(above[at(b)])];
    }
    return b;
  };
  for (const std::vector<std::int32_t>& row : rows) {
    for (const std::int32_t b : row) {
      above[at(top(b))] = top(row.front());
    }
  }
  std::vector<std::vector<std::int32_t>> sets(at(count));
  for (std::int32_t b = 0; b < count; ++b) {
    sets[at(top(b))].push_back(b);
  }
  std::erase_if(sets, [](const auto& set) {
    return set.size() < kMinBundles || set.size() > kMaxBundles;
  });
  return sets;
}

/// The couplings of the bundles of a set, also with themselves.
Square couplings_of(const Bundles& bundles, std::span<const std::int32_t> set) {
  Square all(set.size(), std::vector<double>(set.size()));
  for (std::size_t a = 0; a < set.size(); ++a) {
    for (const qubo::Coupling& c : bundles.row(set[a])) {
      const auto b = std::ranges::lower_bound(set, c.other);
      if (b != set.end() && *b == c.other) {
        all[a][at(b - set.begin())] = c.weight;
      }
    }
  }
  return all;
}

/// Returns the lower triangle L of a = L L'.  A negative rest of a pivot counts as 0.
Square triangle_of(const Square& a) {
  Square l(a.size(), std::vector<double>(a.size()));
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = k; i < a.size(); ++i) {
      double rest = a[i][k];
      for (std::size_t j = 0; j < k; ++j) {
        rest -= l[i][j] * l[k][j];
      }
      l[i][k] = i == k          ? std::sqrt(std::max(0.0, rest))
                : l[k][k] > 0.0 ? rest / l[k][k]
                                : 0.0;
    }
  }
  return l;
}

}  // namespace

std::vector<ReducedMoves> reduced_moves(const Bundles& bundles,
                                        std::span<const std::vector<std::int32_t>> rows,
                                        const Stop& stop) {
  std::vector<ReducedMoves> all;
  for (const std::vector<std::int32_t>& set : connected(bundles.count(), rows)) {
    Square couplings = couplings_of(bundles, set);
    double own = 0.0;
    bool squares = true;
    for (std::size_t a = 0; a < set.size(); ++a) {
      own += kOwnShare * couplings[a][a] / static_cast<double>(set.size());
      squares = squares && couplings[a][a] > 0.0;
    }
    if (!squares) {
      continue;
    }
    for (std::size_t a = 0; a < set.size(); ++a) {
      couplings[a][a] += own;  // rounding may leave no sum of squares
    }
    // Rows: a factor of the couplings, beside multiples of the numbers.
    const Square factor = triangle_of(couplings);
    const double scale = static_cast<double>(kUnit) / std::sqrt(own);
    Basis basis(set.size(), std::vector<std::int64_t>(2 * set.size()));
    for (std::size_t a = 0; a < set.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        basis[a][b] = std::llround(scale * factor[a][b]);
      }
      basis[a][set.size() + a] = kUnit;
    }
    if (!reduce(basis, stop)) {
      return {};
    }
    ReducedMoves& found = all.emplace_back();
    for (const std::vector<std::int64_t>& row : basis) {
      NumberMove move;
      double norm = 0.0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        norm += std::pow(static_cast<double>(row[k]) / scale, 2);
        if (k >= set.size() && row[k] != 0) {
          move.changes.push_back(
              {set[k - set.size()], static_cast<std::int32_t>(row[k] / kUnit)});
        }
      }
      found.cost += 0.5 * norm / static_cast<double>(basis.size());
      found.moves.push_back(std::move(move));
    }
  }
  return all;
}

}  // namespace oa::solve
