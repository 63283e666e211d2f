#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <memory>
#include <optional>
#include <vector>

namespace oa::machine {

/// How a problem was expressed in few levels.
struct Effort {
  int auxiliaries = 1;  ///< 0: one of the problem's spins replaces it
  bool clipped = false;
  bool searched = false;  ///< another scale than the largest was used
  bool whole = false;     ///< the levels are an exact multiple of the problem
};

/// The errors of the coefficients after quantising.
struct Loss {
  double scale = 0.0;
  int coupling_bits = 0;     ///< used by couplings, with the sign
  int field_bits = 0;        ///< used by fields, with the sign
  int couplings = 0;         ///< nonzero couplings
  int couplings_lost = 0;    ///< nonzero couplings that became 0
  double worst_error = 0.0;  ///< in levels; without fields that were cut
};

/// True if quantising kept the optima.  Rounding makes ties, so there are three
/// answers.  `every` counts, because a machine may return any optimum.
struct KeptOptima {
  bool known = true;   ///< false: too expensive to prove
  bool some = false;   ///< some quantised optimum is an original one
  bool first = false;  ///< the lexicographically first one is an original one
  bool every = false;  ///< all quantised optima are original ones
  Bits optimum;        ///< the first quantised one, if known
};

/// A problem prepared for the machine.
struct PackedQuery {
  /// For each variable its known value, 0 or 1, or qubo::kFree.
  Bits fixed;
  /// The block of the free variables; nothing if there are none.
  std::optional<Block> block;
  /// Spins of each free variable in the block; empty: one each.
  std::vector<int> copies = {};
  Effort effort;
  Loss loss;
  KeptOptima kept;
  /// E of the first quantised optimum minus the least E; 0 if unknown.
  double energy_lost = 0.0;

  [[nodiscard]] int free() const {
    return !copies.empty() ? static_cast<int>(copies.size()) : block ? block->n : 0;
  }
};

/// The quantised problems of an image and their tasks: tasks[t] lists the queries whose
/// blocks form matrix t.  Without merging, task t is query t, and is empty if no
/// variable is free.
struct PackedImage {
  qubo::Problem problem;
  std::shared_ptr<const Single> single;  ///< null for a problem of a stream
  std::vector<PackedQuery> queries;
  std::vector<std::vector<int>> tasks;
};

}  // namespace oa::machine
