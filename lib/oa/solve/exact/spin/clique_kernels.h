#pragma once

#include "oa/num/simd.h"

#include <span>
#include <vector>

namespace oa::solve {

// Kernels of CliqueBound, for each instruction set.

/// The number of lines in a SpinVector: n spins have an optimum of rank sqrt(2n).
inline constexpr int kVectorLines = 3;
inline constexpr int kVectorRank = kVectorLines * num::kLine;

/// A unit vector in place of a spin.
struct SpinVector {
  num::Line line[kVectorLines];
};

/// Updates each vector in order: v_i = -p / |p|, p = sum_k e_ik v_k, d_i = |p|.
/// e is (n,n) with e_ii = 0.  Keeps v_i if p = 0.
void turn_vectors(std::span<const double> e,
                  std::span<SpinVector> v,
                  std::span<double> d);

/// Appends each k >= from with |b_k + c_k| > sum or |b_k - c_k| > difference.
void find_far(std::span<const double> b,
              std::span<const double> c,
              int from,
              double sum,
              double difference,
              std::vector<int>& found);

[[nodiscard]] double dot_product(std::span<const double> a, std::span<const double> b);

}  // namespace oa::solve
