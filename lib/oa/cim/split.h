#pragma once

#include "oa/cim/precision.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::cim {

/// Levels of n variables and the auxiliary spin, which is the last, of any size.
struct WideLevels {
  int n = 0;
  std::vector<std::int64_t> cells;  ///< (n+1,n+1), symmetric, zero diagonal

  [[nodiscard]] std::int64_t at(int i, int k) const {
    return cells[static_cast<std::size_t>(i) * static_cast<std::size_t>(n + 1) +
                 static_cast<std::size_t>(k)];
  }
};

/// The number of copies of each spin, the auxiliary one last: few, so that the level of
/// any two spins fits into the couplings of their copies, copies_i copies_k top_level
/// >= |level_ik|.  Every split whose copies agree needs this.  A local search; O(n^3) a
/// round.
[[nodiscard]] std::vector<int> few_copies(const WideLevels& levels, int top_level);

/// The block of all copies: those of variable 0, of variable 1, ..., then the extra
/// auxiliary spins.  Empty if a tie between copies exceeds the top level.
///
/// A level is divided among the couplings of its copies, as whole numbers that differ
/// by at most 1.  Any two copies of a spin are coupled by t = floor(u / c) + 1, where c
/// is the number of its copies, and u counts the other spins of the block whose
/// couplings to these copies are not all equal.
///
/// Then all copies of a spin agree in every ground state.  Proof: In any state, let P
/// be the copies at -1, with 0 < p = |P| < c, and g_a the sum over all other spins s of
/// s times their coupling to copy a.  Each pair counts twice, so setting P to +1
/// changes the energy by -4 sum_P g_a - 4 t p (c - p), and setting the other copies to
/// -1 by 4 sum_notP g_a - 4 t p (c - p).  Let g_a = G / c + d_a, where the sum of d_a
/// is 0.  One of -p G / c and (c - p) G / c is at most 0, so the smaller change is at
/// most 4 (|sum_P d_a| - t p (c - p)).  A spin with equal couplings adds nothing to d.
/// A spin with couplings m and m + 1, the latter to r copies, of which k are in P, adds
/// |k - p r / c|.  As max(0, p + r - c) <= k <= min(p, r), this is at most p (c - p) /
/// c.  So |sum_P d_a| <= u p (c - p) / c < t p (c - p), and the change is negative.
[[nodiscard]] std::optional<machine::Block> spread(const WideLevels& levels,
                                                   const std::vector<int>& copies,
                                                   int top_level);

/// See Precision::Split: no copies if quantise_best() keeps every optimum with one
/// auxiliary spin; else the fewest spins that do, and among these the finest levels.
/// If the optima are not known: the finest split that fits, with at most 4 copies on
/// average.  Throws InputError, which begins with `where`, if no split of `most_spins`
/// (0: no limit) keeps every optimum, and says how many spins the smallest needs.
[[nodiscard]] Quantised quantise_split(const machine::Spins& spins,
                                       const Optima& optima,
                                       int top_level,
                                       int most_spins,
                                       std::int64_t max_nodes,
                                       const std::string& where);

/// The x of variables from the x of their copies: the value of the majority, 0 if there
/// is none.  Appends to `broken` whether the copies of each variable disagree.
[[nodiscard]] machine::Bits merged(const std::vector<int>& copies,
                                   std::span<const std::uint8_t> x,
                                   std::vector<bool>& broken);

}  // namespace oa::cim
