#pragma once

#include "oa/machine/packed.h"

#include <optional>
#include <span>

namespace oa::cim {

/// How real coefficients become levels:
/// scaled and rounded, half to even; oa-cim(5), QUANTISATION.
struct Rule {
  double scale = 1.0;
  /// Clips a field that is larger than all couplings of its spin together to their sum
  /// plus one level: such a field decides the spin anyway.
  bool clip = false;
  /// The number of auxiliary spins that share each field,
  /// which leaves couplings a finer scale.
  ///
  /// Auxiliary spins agree in every ground state.  With equal shares,
  /// a field would be c times a share, where c is the sum of the K auxiliary spins.
  /// The minimal energy over the variables is even in c and a minimum of linear
  /// functions, so it is lowest where the auxiliary spins agree.
  /// Fields that do not divide evenly have shares that differ by one level.
  /// If p spins flip, u such fields gain at most 2 u p (K - p) / K; a coupling t
  /// between any two auxiliary spins costs 2 t p (K - p), which is more if t > u / K.
  int auxiliaries = 1;
  int top_level = 127;
};

/// The largest scale without overflow: 127 / max |M| for the vendor's rule;
/// 1 if all coefficients are 0.
[[nodiscard]] double largest_scale(const machine::Spins& spins, const Rule& rule);

/// A scale that makes every coefficient a whole level, if there is one:
/// 1 if possible, else the largest such scale.
[[nodiscard]] std::optional<double> whole_scale(const machine::Spins& spins,
                                                int top_level);

/// Converts to levels; empty if a level overflows.  O(n^2).
[[nodiscard]] std::optional<machine::Block> quantise(const machine::Spins& spins,
                                                     const Rule& rule);

/// True if the QUBO of a block without extra spins is an exact multiple of the function
/// 1/2 x'Jx + h'x.
[[nodiscard]] bool is_multiple(const machine::Block& block,
                               const qubo::Matrix& j,
                               std::span<const double> h);

[[nodiscard]] machine::Loss loss_of(const machine::Spins& spins,
                                    const Rule& rule,
                                    const machine::Block& block);

}  // namespace oa::cim
