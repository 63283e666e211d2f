#pragma once

#include "oa/num/simd.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// What heuristics, which compute in floats, multiply numbers of a problem by.
struct Scale {
  double energy = 1.0;  ///< A power of two that makes the largest lie in [1, 2).
  double spread = 0.0;  ///< How far a variable's field varies: the mean norm of a row.
  double step = 0.0;    ///< All scaled energies differ by multiples of it; 0: unknown.
};

/// Of a function; of some rows of a very large one.
[[nodiscard]] Scale scale_of(const qubo::Quadratic& f);

/// A row as heuristics see it.
struct CouplingRow {
  const float* weights;
  const std::int32_t* others;  ///< null: weights are those of all variables in order
  int count;
};

/// The couplings as heuristics see them: floats without the diagonal (which for 0/1
/// vectors belongs to the linear term), scaled by a power of two.  What heuristics find
/// is evaluated in the exact numbers afterwards.
///
/// A matrix, which many problems share, is kept as rows of floats, padded with zeros to
/// whole lines.  The couplings of a function, of which there may be very many, stay
/// where they are and are made floats row by row.
class Couplings {
 public:
  explicit Couplings(const qubo::Matrix& j);
  /// `f` must outlive it.
  explicit Couplings(const qubo::Quadratic& f);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] int stride() const { return stride_; }
  /// What energies of the problem are multiplied by here.
  [[nodiscard]] double scale() const { return scale_; }
  /// Whether rows have only what is not 0.
  [[nodiscard]] bool sparse() const {
    return f_ != nullptr && !f_->couplings().dense();
  }

  /// How many floats row() may want for itself.
  [[nodiscard]] std::size_t scratch() const { return scratch_; }
  /// Whole rows have stride() floats and are aligned, if `scratch` is.
  [[nodiscard]] CouplingRow row(int i, float* scratch) const {
    return f_ != nullptr ? widened(i, scratch)
                         : CouplingRow{num::elements(rows_.data()) +
                                           static_cast<std::ptrdiff_t>(i) * stride_,
                                       nullptr,
                                       n_};
  }

  /// Scaled h_i + J_ii/2, what setting x_i alone adds to the energy, for i < stride():
  /// very large where there is no variable, so that none is ever set.
  void fields(std::span<const double> h, float* out) const;

  /// How far the field of a variable varies: the mean norm of a row.
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
