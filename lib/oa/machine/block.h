#pragma once

#include "oa/qubo/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::machine {

using Bits = std::vector<std::uint8_t>;

/// The problem min E(x) over {0,1}^n in spins s, x = (s + 1) / 2.  Up to a constant,
///   E = - sum over i != j of couplings_ij s_i s_j - 2 sum over i of fields_i s_i.
/// An auxiliary spin, always +1, turns fields into couplings.
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

/// A problem in the machine's integer levels: couplings of its n variables,
/// of `extra` auxiliary spins of its own, and of one auxiliary spin that blocks of a
/// matrix may share.  In a submitted QUBO the diagonal replaces the shared spin;
/// extra spins follow the variables.
struct Block {
  int n = 0;
  int extra = 0;
  std::vector<std::int16_t> levels;  ///< (spins,spins), symmetric, zero diagonal

  [[nodiscard]] int size() const { return n + extra; }  ///< variables of the QUBO
  [[nodiscard]] int spins() const { return size() + 1; }
  [[nodiscard]] const std::int16_t* row(int i) const {
    return levels.data() + static_cast<std::ptrdiff_t>(i) * spins();
  }
  bool operator==(const Block&) const = default;
};

/// A submitted QUBO: upper triangular, energy x'Qx.
struct TaskMatrix {
  int n = 0;
  /// The upper triangle with the diagonal, row by row.  Exact up to 2^26.
  std::vector<float> cells;

  /// The start of row i: the cell on the diagonal.
  [[nodiscard]] const float* row(int i) const {
    return cells.data() + static_cast<std::ptrdiff_t>(i) * (2 * n - i + 1) / 2;
  }
  /// The energy of x with ones at `ones` (ascending).
  /// Exact if cells are whole numbers.
  [[nodiscard]] double energy(std::span<const int> ones) const;

  bool operator==(const TaskMatrix&) const = default;
};

/// The QUBO of a block, whose cells are multiples of 4, and of 8 off the diagonal.
[[nodiscard]] TaskMatrix task_matrix_of(const Block& block);

/// The QUBO without its last `extra` variables, which are +1 in every ground state
/// (cim/quantise.h).  The energy of the whole QUBO is energy + `offset`.
struct Reduced {
  qubo::Matrix j;
  std::vector<double> h;
  double offset = 0.0;
};
[[nodiscard]] Reduced reduced(const TaskMatrix& q, int extra);

}  // namespace oa::machine
