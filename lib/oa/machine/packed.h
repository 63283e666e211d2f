#pragma once

#include "oa/machine/block.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::machine {

/// What was done to get a problem through few levels.
struct Effort {
  int auxiliaries = 1;
  bool clipped = false;
  bool searched = false;  ///< another scale than the largest
};

/// What quantising did to the coefficients.
struct Loss {
  double scale = 0.0;
  int coupling_bits = 0;     ///< that the couplings use, sign included
  int field_bits = 0;        ///< likewise the fields
  int couplings = 0;         ///< that are not 0
  int couplings_lost = 0;    ///< of these, rounded to 0
  double worst_error = 0.0;  ///< of a coefficient, in levels; cut fields aside
};

/// Whether quantising kept the optimum.  Rounding makes ties, so there are three
/// answers; the last is the one that counts, since a machine may return any.
struct Kept {
  bool some = false;   ///< some optimum of the quantised problem is an original one
  bool first = false;  ///< the first of its optima is, in the order of x
  bool every = false;  ///< all its optima are
  Bits optimum;        ///< of the quantised problem, the first
};

/// The value of a variable that the machine is asked for.
inline constexpr std::uint8_t kFree = 2;

/// A problem on its way to the machine.
struct PackedQuery {
  /// (m): 0 or 1 where the value is known, kFree where the machine is asked.
  Bits fixed;
  /// Over the free variables; nothing where none is left.
  std::optional<Block> block;
  Effort means;
  Loss loss;
  Kept kept;
  /// E of the quantised problem's first optimum above E's own
  double energy_lost = 0.0;

  [[nodiscard]] int free() const { return block ? block->n : 0; }
};

/// The problems of an image, quantised, and how they are spread over tasks: tasks[t]
/// lists the queries whose blocks follow each other in matrix t.  Not merged, task t is
/// that of query t, and empty if nothing is left to solve.
struct PackedImage {
  qubo::ImageProblem problem;
  std::vector<PackedQuery> queries;
  std::vector<std::vector<int>> tasks;
};

}  // namespace oa::machine
