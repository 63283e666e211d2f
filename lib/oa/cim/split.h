#pragma once

#include "oa/cim/precision.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::cim {

/// Levels of any size: those of n variables and, last, of the auxiliary spin.
struct WideLevels {
  int n = 0;
  std::vector<std::int64_t> cells;  ///< (n+1,n+1), symmetric, zero diagonal

  [[nodiscard]] std::int64_t at(int i, int k) const {
    return cells[static_cast<std::size_t>(i) * static_cast<std::size_t>(n + 1) +
                 static_cast<std::size_t>(k)];
  }
};

/// Returns small numbers of copies of each spin, the auxiliary spin last, such that the
/// couplings of copies can hold each level: copies_i copies_k top_level >= |level_ik|.
/// Any split with equal copies needs this.  A local search; O(n^3) a round.
[[nodiscard]] std::vector<int> few_copies(const WideLevels& levels, int top_level);

/// Builds the block of all copies: those of variable 0, of variable 1, ...,
/// then extra auxiliary spins.  Empty if a tie between copies exceeds the top level.
///
/// A level is divided among the couplings of its copies in whole numbers that differ by
/// at most 1.  Any two copies of a spin are coupled by t = floor(u / c) + 1,
/// where c is the number of copies of the spin,
/// and u the number of other spins of the block with unequal couplings to these copies.
///
/// Then all copies of a spin agree in every ground state.  Proof: let P be the copies
/// at -1, 0 < p = |P| < c, and g_a the sum over all other spins s of s times their
/// coupling to copy a.  Each pair counts twice.  So the energy changes by
///   -4 sum_P g_a - 4 t p (c - p)     if P is set to +1,
///    4 sum_notP g_a - 4 t p (c - p)  if all other copies are set to -1.
/// Let g_a = G / c + d_a with sum d_a = 0.  One of -p G / c and (c - p) G / c is at
/// most 0, so the smaller change is at most 4 (|sum_P d_a| - t p (c - p)).
///
/// A spin with equal couplings adds nothing to d.  Let a spin have couplings m, and
/// m + 1 to r copies, k of which are in P.  It adds |k - p r / c| <= p (c - p) / c,
/// since max(0, p + r - c) <= k <= min(p, r).  So the smaller change is negative:
///   |sum_P d_a| <= u p (c - p) / c < t p (c - p)
[[nodiscard]] std::optional<machine::Block> spread(const WideLevels& levels,
                                                   const std::vector<int>& copies,
                                                   int top_level);

/// Quantises for Precision::Split:
/// without copies if quantise_best() keeps every optimum with one auxiliary spin;
/// otherwise with the fewest spins that keep every optimum, then the finest levels.  If
/// optima are unknown, takes the finest split that fits, at most 4 copies on average.
/// Throws InputError, prefixed with `where`, if no split of `most_spins` (0: no limit)
/// keeps every optimum; the message gives the number of spins that would suffice.
[[nodiscard]] Quantised quantise_split(const machine::Spins& spins,
                                       const Optima& optima,
                                       int top_level,
                                       int most_spins,
                                       std::int64_t max_nodes,
                                       const std::string& where);

/// Decodes copies to variables by majority, 0 in a tie.  Appends to `broken` whether
/// the copies of each variable differ.
[[nodiscard]] machine::Bits merged(const std::vector<int>& copies,
                                   std::span<const std::uint8_t> x,
                                   std::vector<bool>& broken);

}  // namespace oa::cim
