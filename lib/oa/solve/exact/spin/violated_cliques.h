#pragma once

#include "oa/solve/exact/spin/odd_clique.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa::solve {

struct Violated {
  OddClique clique;
  double violation = 0.0;
};

/// The rows of a symmetric matrix of products of n spins; its diagonal is 1.
using Products = std::span<const double>;

/// The most violated triangles in order: at most `most`, each violated by more than
/// `least`.  O(n^3).
[[nodiscard]] std::vector<Violated> violated_triangles(
    int n, Products x, double least, std::size_t most, const Stop& stop);

/// Pentagons that are violated by more than `least`, without duplicates.  Each clique
/// of `from` grows to five spins, which are then exchanged one by one while that helps.
/// O(n) for each exchange.
[[nodiscard]] std::vector<Violated> violated_pentagons(
    int n, Products x, std::span<const OddClique> from, double least, const Stop& stop);

/// Keeps at most `most` of the most violated, in order.
void keep_most_violated(std::size_t most, std::vector<Violated>& found);

}  // namespace oa::solve
