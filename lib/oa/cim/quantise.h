#pragma once

#include "oa/machine/packed.h"

#include <optional>

namespace oa::cim {

/// How real couplings become levels: scaled and rounded, half to even, which sees no
/// solution.  oa-cim(5), QUANTISATION.
struct Rule {
  double scale = 1.0;
  /// A field larger than all couplings of its spin together decides it, whatever its
  /// size: such fields are cut to one level above what decides.
  bool clip = false;
  /// Spins over which a field is spread: each has a share of it, so that couplings may
  /// use more of the range.
  ///
  /// They agree in every ground state.  Were all shares equal, a field would be c times
  /// a share, c = the sum of these spins, and the least energy over the variables, a
  /// minimum of linear functions of c and even, would be lowest at an end, where they
  /// agree.  Shares of a field that cannot be divided differ by one level; with p of K
  /// spins flipped they add at most 2 u p (K - p) / K for u such fields, and the tie t
  /// between any two costs 2 t p (K - p) > that if t > u / K.
  int auxiliaries = 1;
  int top_level = 127;
};

/// The largest scale at which no level passes the top one: 127 / max |M| for the
/// vendor's rule.  1 if all coefficients are 0.
[[nodiscard]] double largest_scale(const machine::Spins& spins, const Rule& rule);

/// The levels, or nothing where one would pass the top.  O(n^2).
[[nodiscard]] std::optional<machine::Block> quantise(const machine::Spins& spins,
                                                     const Rule& rule);

[[nodiscard]] machine::Loss loss_of(const machine::Spins& spins,
                                    const Rule& rule,
                                    const machine::Block& block);

}  // namespace oa::cim
