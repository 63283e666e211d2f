#pragma once

#include "oa/base/large_allocator.h"
#include "oa/num/simd.h"
#include "oa/solve/method/stop.h"

#include <array>
#include <span>
#include <vector>

namespace oa::solve {

/// Lines that resize() leaves uninitialised.
using Lines = std::vector<num::Line, LargeAllocator<num::Line>>;

/// The matrix of convex quadratics  f(y) = 1/2 y'Ay + c'y  to be bounded over boxes:
/// A = J + D, where for 0/1 vectors x'Dx = d'x, so that c = h - d/2 leaves every energy
/// as it was.  Everything is padded with zeros to whole lines.
struct Convex {
  int n = 0;
  int stride = 0;
  bool lifted = false;              ///< J is indefinite, D more than rounding.
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

/// A node of the search: the box lo <= x <= hi with lo and hi in {0,1}, a point y, and
/// the gradient g = Ay + c there.  Free variables are those with lo < hi.  Four arrays
/// of `stride` elements, one after the other in the caller's memory.
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

/// Makes c = h - d/2, padded, and `node` the whole cube with y = 0.  Returns the sum of
/// |c_i|.
double start(const Convex& q, std::span<const double> h, double* c, const Node& node);

/// When relax() ends.
struct RelaxLimits {
  double threshold;         ///< the bound passes this,
  int passes;               ///< so many rounds are done,
  int enough = 0;           ///< or no more variables than this are free,
  double tolerance = 1e-3;  ///< or none would move by more than this.
};

struct Relaxed {
  double bound;  ///< f(x) >= bound for all x in the box, rounding aside
  int free;      ///< variables still free; means nothing if the bound passed
  int moves;     ///< changes of y, each of which rounds g once
};

/// Lowers f by rounds of coordinate descent, bounding f as it goes, and fixes what
/// cannot be otherwise in any x with f(x) <= threshold.  Ends early when `pace` says
/// so, at a y whose bound holds as any other's.
Relaxed relax(const Convex& q,
              const double* c,
              const Node& node,
              const RelaxLimits& limits,
              Pace& pace);

/// Rounds the y of `from` and improves it by flipping free variables, the best first,
/// until none lowers f.  Leaves the binary y in `to` and returns f of it; infinity if
/// `pace` ended it early.
double round(
    const Convex& q, const double* c, const Node& from, const Node& to, Pace& pace);

/// Makes y binary with all free variables at 0, so that g is their linear term.
/// Returns f(y); adds to `moves`.
double settle(const Convex& q, const double* c, const Node& node, int& moves);

/// The free variables of a node, in order.  Returns how many.
int list_free(const Convex& q, const Node& node, int* variables);

inline constexpr int kMostEnumerated = 10;

/// f of every x in the box of a settled node with at most kMostEnumerated free
/// variables: element s has bit i of s as the value of the i-th free variable.  There
/// are never less than 8 elements; surplus ones are infinite.
struct Enumeration {
  int free = 0;
  int count = 0;
  double least = 0.0;
  std::array<int, kMostEnumerated> variables;
  Lines energies = Lines((3 << kMostEnumerated) / 2 / num::kLine);
};
void enumerate(const Convex& q, const Node& node, double base, Enumeration& all);

/// The elements of an enumeration that are at most `limit`.
void select(const Enumeration& all, double limit, std::vector<int>& elements);

}  // namespace oa::solve
