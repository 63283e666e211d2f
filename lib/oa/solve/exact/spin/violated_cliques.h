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

/// The rows of a symmetric matrix of products s_i s_k; its diagonal is 1.
using Products = std::span<const double>;

/// Returns the most violated triangles, sorted:
/// at most `most`, each violated by more than `least`.  O(n^3).
[[nodiscard]] std::vector<Violated> violated_triangles(
    int n, Products x, double least, std::size_t most, const Stop& stop);

/// Returns distinct pentagons violated by more than `least`.
/// Each clique of `from` grows to five spins;
/// then members are exchanged one by one while this helps.  An exchange takes O(n).
[[nodiscard]] std::vector<Violated> violated_pentagons(
    int n, Products x, std::span<const OddClique> from, double least, const Stop& stop);

/// Keeps at most `most` cliques: the most violated, sorted.
void keep_most_violated(std::size_t most, std::vector<Violated>& found);

}  // namespace oa::solve
