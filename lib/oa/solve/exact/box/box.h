#pragma once

#include "oa/base/large_allocator.h"
#include "oa/num/simd.h"
#include "oa/solve/method/stop.h"

#include <array>
#include <span>
#include <vector>

namespace oa::solve {

/// Lines that resize() does not initialise.
using Lines = std::vector<num::Line, LargeAllocator<num::Line>>;

/// The matrix of convex quadratics f(y) = 1/2 y'Ay + c'y that are bounded over boxes.
/// A = J + D with a diagonal D = diag(d), and c = h - d/2: as x'Dx = d'x,
/// energies of 0/1 vectors do not change.  Arrays are padded with zeros to whole lines.
struct Convex {
  int n = 0;
  int stride = 0;
  bool lifted = false;              ///< J is indefinite: D exceeds rounding errors
  Lines a;                          ///< (n, stride), positive semidefinite
  std::vector<num::Line> shift;     ///< (stride): D_ii
  std::vector<num::Line> diagonal;  ///< (stride): A_ii
  std::vector<num::Line> inverse;   ///< (stride): 1/A_ii, 0 where A_ii is 0
  double magnitude = 0.0;           ///< sum of |A_ij|

  [[nodiscard]] const double* row(int i) const {
    return num::elements(a.data()) + static_cast<std::ptrdiff_t>(i) * stride;
  }
  double* row(int i) {
    return num::elements(a.data()) + static_cast<std::ptrdiff_t>(i) * stride;
  }
};

/// A node of the search: the box lo <= x <= hi with lo and hi in {0,1},
/// a point y and its gradient g = Ay + c.  Free variables have lo < hi.
/// The arrays of `stride` elements are consecutive in the caller's memory.
struct Node {
  double* y = nullptr;
  double* lo = nullptr;
  double* hi = nullptr;
  double* g = nullptr;

  Node() = default;
  Node(num::Line* memory, int stride)
      : y(num::elements(memory)),
        lo(y + stride),
        hi(lo + stride),
        g(hi + stride) {}
};

/// Sets c = h - d/2, padded, and sets `node` to the whole cube with y = 0.
/// Returns the sum of |c_i|.
double start(const Convex& q, std::span<const double> h, double* c, const Node& node);

/// Conditions that end relax(); any one suffices.
struct RelaxLimits {
  double threshold;         ///< the bound exceeds it
  int passes;               ///< so many passes are done
  int enough = 0;           ///< at most so many variables are free
  double tolerance = 1e-3;  ///< no variable would move further
};

struct Relaxed {
  double bound;  ///< f(x) >= bound in the box, up to rounding
  int free;      ///< free variables; undefined if bound > threshold
  int moves;     ///< changes of y; each rounds g once
};

/// Lowers f by coordinate descent, bounds f,
/// and fixes variables that have only one value in all x with f(x) <= threshold.
/// The bound is valid even if `pace` ends it early.
Relaxed relax(const Convex& q,
              const double* c,
              const Node& node,
              const RelaxLimits& limits,
              Pace& pace);

/// Rounds the y of `from`, then flips the best free variable until no flip lowers f.
/// Writes the binary y to `to` and returns its f, or infinity if `pace` ended it early.
double round(
    const Convex& q, const double* c, const Node& from, const Node& to, Pace& pace);

/// Sets free variables to 0: y becomes binary, and g the linear term of free variables.
/// Returns f(y); adds to `moves`.
double settle(const Convex& q, const double* c, const Node& node, int& moves);

/// Lists the free variables of a node, ascending.  Returns their number.
int list_free(const Convex& q, const Node& node, int* variables);

inline constexpr int kMaxEnumerated = 10;

/// f of every x in the box of a settled node with at most kMaxEnumerated free
/// variables.  Bit i of an index is the value of the i-th free variable.
/// Has at least 8 elements; surplus elements are infinite.
struct Enumeration {
  int free = 0;
  int count = 0;
  double least = 0.0;
  std::array<int, kMaxEnumerated> variables;
  Lines energies = Lines((3 << kMaxEnumerated) / 2 / num::kLine);
};
void enumerate(const Convex& q, const Node& node, double base, Enumeration& all);

/// Lists the indices of energies up to `limit`.
void select(const Enumeration& all, double limit, std::vector<int>& elements);

}  // namespace oa::solve
