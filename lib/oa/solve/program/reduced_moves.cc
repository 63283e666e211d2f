#include "oa/solve/program/reduced_moves.h"

#include "oa/base/index.h"
#include "oa/qubo/components.h"
#include "oa/solve/arithmetic/cholesky.h"
#include "oa/solve/lattice/reduction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::size_t kMinBundles = 6;
constexpr std::size_t kMaxBundles = 120;
// Each number gets this part of the mean diagonal coupling added to its own.
constexpr double kOwnShare = 0.1;
constexpr std::int64_t kUnit = 10'000;  // a number changed by 1, in the lattice

/// Lists the bundles that rows connect, increasing.
std::vector<std::vector<int>> connected(
    int count, std::span<const std::vector<std::int32_t>> rows) {
  std::vector<std::vector<std::size_t>> rows_of(at(count));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const std::int32_t b : rows[k]) {
      rows_of[at(b)].push_back(k);
    }
  }
  std::vector<bool> visited(rows.size());
  auto sets =
      qubo::components(std::vector<bool>(at(count)), [&](int b, const auto& visit) {
        for (const std::size_t k : rows_of[at(b)]) {
          if (!visited[k]) {
            visited[k] = true;
            std::ranges::for_each(rows[k], visit);
          }
        }
        return true;
      });
  std::erase_if(sets, [](const auto& set) {
    return set.size() < kMinBundles || set.size() > kMaxBundles;
  });
  std::ranges::for_each(sets, [](auto& set) { std::ranges::sort(set); });
  return sets;
}

/// Returns the couplings of the bundles of a set, also with themselves.
std::vector<double> couplings_of(const Bundles& bundles, std::span<const int> set) {
  std::vector<double> all(set.size() * set.size());
  for (std::size_t a = 0; a < set.size(); ++a) {
    for (const qubo::Coupling& c : bundles.row(set[a])) {
      const auto b = std::ranges::lower_bound(set, c.other);
      if (b != set.end() && *b == c.other) {
        all[a * set.size() + at(b - set.begin())] = c.weight;
      }
    }
  }
  return all;
}

}  // namespace

std::vector<ReducedMoves> reduced_moves(const Bundles& bundles,
                                        std::span<const std::vector<std::int32_t>> rows,
                                        const Stop& stop) {
  std::vector<ReducedMoves> all;
  for (const std::vector<int>& set : connected(bundles.count(), rows)) {
    const std::size_t n = set.size();
    std::vector<double> factor = couplings_of(bundles, set);
    double own = 0.0;
    for (std::size_t a = 0; a < n; ++a) {
      own += kOwnShare * factor[a * n + a] / static_cast<double>(n);
    }
    for (std::size_t a = 0; a < n; ++a) {
      factor[a * n + a] += own;  // rounding may leave no sum of squares
    }
    if (own <= 0.0 || !cholesky(factor, static_cast<int>(n), stop)) {
      continue;
    }
    // Rows: a factor of the couplings, beside multiples of the numbers.
    const double scale = static_cast<double>(kUnit) / std::sqrt(own);
    Basis basis(n, std::vector<std::int64_t>(2 * n));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        basis[a][b] = std::llround(scale * factor[b * n + a]);
      }
      basis[a][n + a] = kUnit;
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
        if (k >= n && row[k] != 0) {
          move.changes.push_back(
              {set[k - n], static_cast<std::int32_t>(row[k] / kUnit)});
        }
      }
      found.cost += 0.5 * norm / static_cast<double>(basis.size());
      found.moves.push_back(std::move(move));
    }
  }
  return all;
}

}  // namespace oa::solve
