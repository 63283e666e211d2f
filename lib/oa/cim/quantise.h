#pragma once

#include "oa/machine/packed.h"

#include <optional>
#include <span>

namespace oa::cim {

/// How real couplings become levels: scaled and rounded, half to even, whatever the
/// solutions are.  oa-cim(5), QUANTISATION.
struct Rule {
  double scale = 1.0;
  /// A field that is larger than all couplings of its spin together decides the spin,
  /// whatever its size: it is cut to one level above what decides.
  bool clip = false;
  /// Spins over which a field is spread: each has a share of it, so that couplings may
  /// use more of the range.
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

/// The largest scale at which no level passes the top one: 127 / max |M| for the
/// vendor's rule.  1 if all coefficients are 0.
[[nodiscard]] double largest_scale(const machine::Spins& spins, const Rule& rule);

/// The scale at which every coefficient is a whole level, if there is one: then nothing
/// is rounded.  1 where the coefficients are levels as they are, else the largest.
[[nodiscard]] std::optional<double> whole_scale(const machine::Spins& spins,
                                                int top_level);

/// The levels, or nothing where one would pass the top.  O(n^2).
[[nodiscard]] std::optional<machine::Block> quantise(const machine::Spins& spins,
                                                     const Rule& rule);

/// Whether the QUBO of a block without extra spins is a multiple of 1/2 x'Jx + h'x,
/// number by number: then nothing was lost, whatever the optima are.
[[nodiscard]] bool is_multiple(const machine::Block& block,
                               const qubo::Matrix& j,
                               std::span<const double> h);

[[nodiscard]] machine::Loss loss_of(const machine::Spins& spins,
                                    const Rule& rule,
                                    const machine::Block& block);

}  // namespace oa::cim
