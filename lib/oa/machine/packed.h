#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <memory>
#include <optional>
#include <vector>

namespace oa::machine {

/// How coefficients were rounded to the machine's few levels.
struct Effort {
  int auxiliaries = 1;  ///< 0: a spin of the problem serves as auxiliary
  bool clipped = false;
  bool searched = false;  ///< a scale below the largest was chosen
  bool whole = false;     ///< levels are an exact multiple of the coefficients
};

/// The errors of the coefficients after quantising.
struct Loss {
  double scale = 0.0;
  int coupling_bits = 0;     ///< needed by couplings, with the sign
  int field_bits = 0;        ///< needed by fields, with the sign
  int couplings = 0;         ///< nonzero couplings
  int couplings_lost = 0;    ///< nonzero couplings that became 0
  double worst_error = 0.0;  ///< in levels; ignores clipped fields
};

/// Whether quantising kept the optima.  Rounding may create ties.
/// `every` matters, because a machine may return any optimum.
struct KeptOptima {
  bool known = true;   ///< false: too expensive to prove
  bool some = false;   ///< some quantised optimum is optimal in the original
  bool first = false;  ///< the lexicographically first one is
  bool every = false;  ///< all quantised optima are optimal in the original
  Bits optimum;        ///< first quantised optimum, if known
};

/// A problem prepared for the machine.
struct PackedQuery {
  /// The known value of each variable, 0 or 1, or qubo::kFree.
  Bits fixed;
  /// The block of the free variables; empty if all are fixed.
  std::optional<Block> block;
  /// copies[k] is the number of spins for free variable k; empty: one spin each.
  std::vector<int> copies = {};
  Effort effort;
  Loss loss;
  KeptOptima kept;
  /// E(first quantised optimum) - min E; 0 if unknown.
  double energy_lost = 0.0;

  [[nodiscard]] int free() const {
    return !copies.empty() ? static_cast<int>(copies.size()) : block ? block->n : 0;
  }
};

/// The quantised problems of an image.  tasks[t]: queries whose blocks form matrix t.
/// Without merging, task t is query t; it is empty if no variable is free.
struct PackedImage {
  qubo::Problem problem;
  std::shared_ptr<const Single> single;  ///< null for a problem from a stream
  std::vector<PackedQuery> queries;
  std::vector<std::vector<int>> tasks;
};

}  // namespace oa::machine
