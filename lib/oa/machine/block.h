#pragma once

#include "oa/qubo/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::machine {

using Bits = std::vector<std::uint8_t>;

/// A problem  min E(x) over {0,1}^n  in spins, x = (s + 1) / 2: up to a constant E = -
/// sum over i != j of couplings_ij s_i s_j - 2 sum over i of fields_i s_i.  An
/// auxiliary spin that is always +1 carries the fields, as a coupling to each.
struct Spins {
  int n = 0;
  std::vector<double> couplings;  ///< (n,n), symmetric, zero diagonal
  std::vector<double> fields;     ///< (n)

  [[nodiscard]] const double* row(int i) const {
    return couplings.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n);
  }
};

/// O(n^2).
[[nodiscard]] Spins spins_of(const qubo::Matrix& j, std::span<const double> h);

/// A problem in the whole levels that a machine has: couplings among its n variables,
/// `extra` auxiliary spins of its own, and the one that it may share with other blocks.
/// In a submitted QUBO the diagonal stands for the shared spin, and the extra spins are
/// variables after those of the problem.
struct Block {
  int n = 0;
  int extra = 0;
  std::vector<std::int8_t> levels;  ///< (spins,spins), symmetric, zero diagonal

  [[nodiscard]] int size() const { return n + extra; }  ///< of the QUBO
  [[nodiscard]] int spins() const { return size() + 1; }
  [[nodiscard]] const std::int8_t* row(int i) const {
    return levels.data() + static_cast<std::ptrdiff_t>(i) * spins();
  }
  bool operator==(const Block&) const = default;
};

/// A QUBO as it is submitted: upper triangular, energy x'Qx.
struct TaskMatrix {
  int n = 0;
  std::vector<float> cells;  ///< of the triangle with its diagonal, row by row

  /// Where row i begins; its first cell is the diagonal's.
  [[nodiscard]] const float* row(int i) const {
    return cells.data() + static_cast<std::ptrdiff_t>(i) * (2 * n - i + 1) / 2;
  }
  /// The energy of the x that is 1 exactly at `ones` (increasing), summed in double:
  /// exact if cells are whole numbers.
  [[nodiscard]] double energy(std::span<const int> ones) const;

  bool operator==(const TaskMatrix&) const = default;
};

/// The QUBO of a block.  Its cells are multiples of 4, those off the diagonal of 8.
[[nodiscard]] TaskMatrix task_matrix_of(const Block& block);

/// The problem of all variables but the last `extra`.  These are fixed at +1, their
/// value in every ground state (see cim/quantise.h).  Energies are those of the QUBO
/// less `offset`.
struct Reduced {
  qubo::Matrix j;
  std::vector<double> h;
  double offset = 0.0;
};
[[nodiscard]] Reduced reduced(const TaskMatrix& q, int extra);

}  // namespace oa::machine
