#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace oa::machine {

/// What it took to express a problem in few levels.
struct Effort {
  int auxiliaries = 1;  ///< 0: one of the problem's own spins takes the place of one
  bool clipped = false;
  bool searched = false;  ///< another scale than the largest
  bool whole = false;     ///< the levels are a multiple of the problem: nothing is lost
};

/// What quantising did to the coefficients.
struct Loss {
  double scale = 0.0;
  int coupling_bits = 0;     ///< that the couplings use, sign included
  int field_bits = 0;        ///< that the fields use
  int couplings = 0;         ///< that are not 0
  int couplings_lost = 0;    ///< of these, rounded to 0
  double worst_error = 0.0;  ///< of a coefficient, in levels; without cut fields
};

/// Whether quantising kept the optimum.  Rounding makes ties, so there are three
/// answers.  `every` is the one that counts: a machine may return any optimum.
struct KeptOptima {
  bool known = true;   ///< false: proving the optima would have taken too long
  bool some = false;   ///< some optimum of the quantised problem is an original one
  bool first = false;  ///< the lexicographically first of its optima is one
  bool every = false;  ///< all its optima are original ones
  Bits optimum;        ///< the first of the quantised problem, where it is known
};

/// A problem on its way to the machine.
struct PackedQuery {
  /// Of each variable: 0 or 1 where the value is known, qubo::kFree where the machine
  /// has to find it.
  Bits fixed;
  /// Over the free variables; nothing where none is left.
  std::optional<Block> block;
  Effort effort;
  Loss loss;
  KeptOptima kept;
  /// How far E of the quantised problem's first optimum lies above the least E; 0 where
  /// that is not known.
  double energy_lost = 0.0;

  [[nodiscard]] int free() const { return block ? block->n : 0; }
};

/// The problems of an image, quantised, and how they are spread over tasks: tasks[t]
/// lists the queries whose blocks follow each other in matrix t.  Without merging, task
/// t is that of query t; it is empty if nothing is left to solve.
struct PackedImage {
  qubo::Problem problem;
  std::shared_ptr<const Single> single;  ///< where it is not a problem of a stream
  std::vector<PackedQuery> queries;
  std::vector<std::vector<int>> tasks;
};

}  // namespace oa::machine
