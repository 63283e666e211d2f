#pragma once

#include "oa/num/simd.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The scale of a problem for heuristics, which compute in floats.
struct Scale {
  double energy = 1.0;  ///< a power of two: largest |coefficient| in [1, 2)
  double spread = 0.0;  ///< variation of a field: mean norm of a row
  double step = 0.0;    ///< scaled energies are multiples of it; 0: unknown
};

/// Returns the scale of f; if f is very large, estimates it from a sample of rows.
[[nodiscard]] Scale scale_of(const qubo::Quadratic& f);

/// A row of scaled couplings.
struct CouplingRow {
  const float* weights;
  const std::int32_t* others;  ///< null: weights of all variables in order
  int count;
};

/// Couplings as floats without the diagonal (which is linear for 0/1 vectors),
/// scaled by a power of 2.  Solutions are later evaluated exactly.
///
/// Copies a matrix to float rows, padded with zeros to whole lines.  The couplings of a
/// function, which may be very many, are converted row by row at each use.
class Couplings {
 public:
  explicit Couplings(const qubo::Matrix& j);
  explicit Couplings(const Batch& batch)
      : Couplings(batch.single != nullptr ? Couplings(batch.single->f)
                                          : Couplings(*batch.matrix)) {}
  /// `f` must outlive this.
  explicit Couplings(const qubo::Quadratic& f);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] int stride() const { return stride_; }
  /// The factor by which energies are scaled.
  [[nodiscard]] double scale() const { return scale_; }
  /// True if rows list nonzero couplings only.
  [[nodiscard]] bool sparse() const {
    return f_ != nullptr && !f_->couplings().dense();
  }

  /// The number of scratch floats that row() needs.
  [[nodiscard]] std::size_t scratch() const { return scratch_; }
  /// Dense rows have stride() floats and are aligned if `scratch` is.
  [[nodiscard]] CouplingRow row(int i, float* scratch) const {
    return f_ != nullptr ? widened(i, scratch)
                         : CouplingRow{num::elements(rows_.data()) +
                                           static_cast<std::ptrdiff_t>(i) * stride_,
                                       nullptr,
                                       n_};
  }

  /// Sets out[i], i < stride(), to scaled h_i + J_ii/2: the energy change if only x_i
  /// becomes 1.  Padding gets very large numbers, so that it never flips.
  void fields(std::span<const double> h, float* out) const;

  /// The variation of a variable's field: the mean norm of a row of couplings.
  [[nodiscard]] double spread() const { return spread_; }

 private:
  [[nodiscard]] CouplingRow widened(int i, float* scratch) const;

  int n_;
  int stride_;
  std::size_t scratch_ = 0;
  double scale_ = 1.0;
  std::vector<num::FloatLine> rows_;
  std::vector<double> own_;  // J_ii / 2
  double spread_ = 0.0;
  const qubo::Quadratic* f_ = nullptr;
};

}  // namespace oa::solve
