#pragma once

#include "oa/machine/packed.h"

#include <optional>
#include <span>

namespace oa::cim {

/// How real couplings become levels: scaled and rounded, half to even; oa-cim(5),
/// QUANTISATION.
struct Rule {
  double scale = 1.0;
  /// Cut a field that is larger than all couplings of its spin together to one level
  /// above their sum: it decides the spin anyway.
  bool clip = false;
  /// Spins that share a field, so that couplings may use more of the range.
  ///
  /// These spins agree in every ground state.  If all shares were equal, a field would
  /// be c times a share, where c is the sum of these spins.  The least energy over the
  /// variables would be an even function of c and a minimum of linear ones, so lowest
  /// at an end, where the spins agree.  A field that cannot be divided evenly has
  /// shares that differ by one level.  With p of K spins flipped, u such fields gain at
  /// most 2 u p (K - p) / K; a coupling t between any two of the spins costs 2 t p (K -
  /// p), which is more if t > u / K.
  int auxiliaries = 1;
  int top_level = 127;
};

/// The largest scale without overflow of a level: 127 / max |M| for the vendor's rule.
/// 1 if all coefficients are 0.
[[nodiscard]] double largest_scale(const machine::Spins& spins, const Rule& rule);

/// A scale that makes every coefficient a whole level, so that nothing is rounded, if
/// there is one: 1 if possible, else the largest.
[[nodiscard]] std::optional<double> whole_scale(const machine::Spins& spins,
                                                int top_level);

/// The levels; empty if one overflows.  O(n^2).
[[nodiscard]] std::optional<machine::Block> quantise(const machine::Spins& spins,
                                                     const Rule& rule);

/// True if the QUBO of a block without extra spins is an exact multiple of 1/2 x'Jx +
/// h'x, so that nothing was lost.
[[nodiscard]] bool is_multiple(const machine::Block& block,
                               const qubo::Matrix& j,
                               std::span<const double> h);

[[nodiscard]] machine::Loss loss_of(const machine::Spins& spins,
                                    const Rule& rule,
                                    const machine::Block& block);

}  // namespace oa::cim
