#pragma once

#include "oa/solve/exact/spin/odd_clique.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa::solve {

/// A clique, and how far products are below what it says.
struct Violated {
  OddClique clique;
  double violation = 0.0;
};

/// Where a row of a symmetric matrix of products of n spins begins; its diagonal is 1.
using Products = std::span<const double>;

/// Of all triangles that are violated by more than `least` those that are violated
/// most, `most` at most, in order.  O(n^3).
[[nodiscard]] std::vector<Violated> violated_triangles(
    int n, Products x, double least, std::size_t most, const Stop& stop);

/// Pentagons that are violated by more than `least`: from each of the cliques one,
/// grown to five spins and then improved by exchanging one of them while that helps;
/// each once.  O(n) for each exchange.
[[nodiscard]] std::vector<Violated> violated_pentagons(
    int n, Products x, std::span<const OddClique> from, double least, const Stop& stop);

/// Leaves those that are violated most, `most` at most, in order.
void keep_most_violated(std::size_t most, std::vector<Violated>& found);

}  // namespace oa::solve
