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
  double energy = 1.0;  ///< a power of two that brings the largest number into [1, 2)
  double spread = 0.0;  ///< variation of a variable's field: the mean norm of a row
  double step = 0.0;    ///< all scaled energies differ by multiples of it; 0: unknown
};

/// The scale of a function; of a very large one, by some of its rows.
[[nodiscard]] Scale scale_of(const qubo::Quadratic& f);

/// A row of scaled couplings.
struct CouplingRow {
  const float* weights;
  const std::int32_t*
      others;  ///< null: the weights are those of all variables in order
  int count;
};

/// Couplings as floats without the diagonal (which belongs to the linear term for 0/1
/// vectors), scaled by a power of two.  Solutions are later evaluated in exact numbers.
///
/// A matrix is copied to rows of floats, padded with zeros to whole lines.  The
/// couplings of a function, of which there may be very many, are converted row by row
/// on use.
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
  /// The factor of energies.
  [[nodiscard]] double scale() const { return scale_; }
  /// True if rows contain only nonzero couplings.
  [[nodiscard]] bool sparse() const {
    return f_ != nullptr && !f_->couplings().dense();
  }

  /// The number of floats of scratch memory for row().
  [[nodiscard]] std::size_t scratch() const { return scratch_; }
  /// Dense rows have stride() floats and are aligned if `scratch` is.
  [[nodiscard]] CouplingRow row(int i, float* scratch) const {
    return f_ != nullptr ? widened(i, scratch)
                         : CouplingRow{num::elements(rows_.data()) +
                                           static_cast<std::ptrdiff_t>(i) * stride_,
                                       nullptr,
                                       n_};
  }

  /// Scaled h_i + J_ii/2, the change by x_i = 1 alone, for i < stride().  Very large in
  /// the padding, so that no variable there is ever set.
  void fields(std::span<const double> h, float* out) const;

  /// The variation of a variable's field: the mean norm of a row.
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
