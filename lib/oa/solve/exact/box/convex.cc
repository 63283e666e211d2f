#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/arithmetic/lanczos.h"
#include "oa/solve/exact/box/convex.h"
#include "oa/solve/exact/box/dual_shift.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::double_lines;

// Computes out = A x.
void Multiply(const Convex& q, const double* x, double* HWY_RESTRICT out) {
  std::fill_n(out, q.stride, 0.0);
  for (int i = 0; i < q.n; ++i) {
    const double* row = q.row(i);
    const V xi = hn::Set(d, x[i]);
    for (int j = 0; j < q.stride; j += kLanes) {
      hn::Store(hn::MulAdd(xi, load(row + j), load(out + j)), d, out + j);
    }
  }
}

// Sets magnitudes[i] to the sum over j of |A_ij|.
void RowMagnitudes(const Convex& q, double* magnitudes) {
  for (int i = 0; i < q.n; ++i) {
    V sum = hn::Zero(d);
    for (int j = 0; j < q.stride; j += kLanes) {
      sum = hn::Add(sum, hn::Abs(load(q.row(i) + j)));
    }
    magnitudes[i] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

// Computes the kCount vectors from column j of row i of A - L'L.
// Several sums at once hide the latency of additions.
template <int kCount>
HWY_INLINE void remainder_at(
    const Convex& q, const double* l, int rank, int i, int j, double* out) {
  const double* a = q.row(i) + j;
  const double* end = l + std::ptrdiff_t{rank} * q.stride;
  V sum[kCount];
  for (int k = 0; k < kCount; ++k) {
    sum[k] = load(a + k * kLanes);
  }
  for (const double* lt = l; lt < end; lt += q.stride) {
    const V x = hn::Set(d, lt[i]);
    for (int k = 0; k < kCount; ++k) {
      sum[k] = hn::NegMulAdd(x, load(lt + j + k * kLanes), sum[k]);
    }
  }
  for (int k = 0; k < kCount; ++k) {
    hn::Store(sum[k], d, out + j + k * kLanes);
  }
}

// Computes the last vectors of the row, at most kMax.
template <int kMax>
HWY_INLINE void remainder_end(
    const Convex& q, const double* l, int rank, int i, int j, double* out) {
  if (q.stride - j == kMax * kLanes) {
    remainder_at<kMax>(q, l, rank, i, j, out);
  } else if constexpr (kMax > 1) {
    remainder_end<kMax - 1>(q, l, rank, i, j, out);
  }
}

// Computes row i of A - L'L, from element `first`.
HWY_INLINE void remainder(
    const Convex& q, const double* l, int rank, int i, int first, double* out) {
  int j = first;
  for (; j + 8 * kLanes <= q.stride; j += 8 * kLanes) {
    remainder_at<8>(q, l, rank, i, j, out);
  }
  remainder_end<7>(q, l, rank, i, j, out);
}

// Returns the index of the first largest element of `left`, whose padding is -1.
int Pivot(const Convex& q, const double* left) {
  V most = load(left);
  for (int j = kLanes; j < q.stride; j += kLanes) {
    most = hn::Max(most, load(left + j));
  }
  most = hn::MaxOfLanes(d, most);
  for (int j = 0; j < q.stride; j += kLanes) {
    const auto found = hn::FindFirstTrue(d, hn::Eq(load(left + j), most));
    if (found >= 0) {
      return j + static_cast<int>(found);
    }
  }
  return 0;  // NaN
}

// Sets squares[i] to the sum over the rows t of L_ti^2, added in order.
void SquaredNorms(const Convex& q, const double* l, int rank, double* squares) {
  const double* end = l + std::ptrdiff_t{rank} * q.stride;
  for (int j = 0; j < q.stride; j += kLanes) {
    V sum = hn::Zero(d);
    for (const double* lt = l; lt < end; lt += q.stride) {
      const V x = load(lt + j);
      sum = hn::Add(sum, hn::Mul(x, x));
    }
    hn::Store(sum, d, squares + j);
  }
}

// Writes the row of L for pivot p, and updates `left`,
// the diagonal of A - L'L with -1 at pivots.  Later rows of L are 0 at p,
// so row p of A - L'L is final, and its magnitudes are added to `excess` (see Excess).
void EliminateRow(const Convex& q,
                  const double* l,
                  int rank,
                  int p,
                  double* row,
                  double* left,
                  double* excess) {
  remainder(q, l, rank, p, 0, row);
  const double root = std::sqrt(left[p]);
  const double own = row[p] - root * root;
  left[p] = -1.0;
  const V roots = hn::Set(d, root);
  const V inverse = hn::Set(d, 1.0 / root);
  V sum = hn::Zero(d);
  for (int j = 0; j < q.stride; j += kLanes) {
    const V rest = load(left + j);
    const auto taken = hn::Lt(rest, hn::Zero(d));
    const V a = load(row + j);
    const V x = hn::IfThenZeroElse(taken, hn::Mul(a, inverse));
    const V less = hn::Max(hn::NegMulAdd(x, x, rest), hn::Zero(d));
    const V magnitude = hn::IfThenZeroElse(taken, hn::Abs(hn::NegMulAdd(roots, x, a)));
    sum = hn::Add(sum, magnitude);
    hn::Store(hn::Add(load(excess + j), magnitude), d, excess + j);
    hn::Store(x, d, row + j);
    hn::Store(hn::IfThenElse(taken, rest, less), d, left + j);
  }
  row[p] = root;
  excess[p] += hn::GetLane(hn::SumOfLanes(d, sum)) - own;
}

// Completes excess_i = sum over j != i of |S_ij| - S_ii for S = A - L'L.
// `excess` already includes the rows of pivots; adds elements between two other rows.
// S is symmetric, so an element counts for both of its rows.  Returns false if stopped.
bool Excess(const Convex& q,
            const double* l,
            int rank,
            const double* left,
            double* scratch,
            double* excess,
            Pace& pace) {
  for (int i = 0; i < q.n; ++i) {
    if (left[i] < 0.0) {
      continue;
    }
    if (pace(std::int64_t{rank + 1} * q.stride)) {
      return false;
    }
    const int first = i / kLanes * kLanes;
    remainder(q, l, rank, i, first, scratch);
    const double own = scratch[i];
    std::fill(scratch + first, scratch + i + 1, 0.0);
    V sum = hn::Zero(d);
    for (int j = first; j < q.stride; j += kLanes) {
      const auto taken = hn::Lt(load(left + j), hn::Zero(d));
      const V magnitude = hn::IfThenZeroElse(taken, hn::Abs(load(scratch + j)));
      sum = hn::Add(sum, magnitude);
      hn::Store(hn::Add(load(excess + j), magnitude), d, excess + j);
    }
    excess[i] += hn::GetLane(hn::SumOfLanes(d, sum)) - own;
  }
  return true;
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {

HWY_EXPORT(Multiply);
HWY_EXPORT(RowMagnitudes);
HWY_EXPORT(Pivot);
HWY_EXPORT(SquaredNorms);
HWY_EXPORT(EliminateRow);
HWY_EXPORT(Excess);

namespace {

constexpr double kUnit = 0x1p-53;
// A shift below this, relative to the matrix, comes from rounding.
constexpr double kNegligible = 0x1p-14;

std::size_t lines(int stride) {
  return static_cast<std::size_t>(stride / num::kLine);
}

// The rows of a Cholesky factor L; A - L'L is the remainder.
struct Factor {
  // Creates a factor without rows.
  explicit Factor(const Convex& q) : left(lines(q.stride)), excess(lines(q.stride)) {
    double* diagonal = num::elements(left.data());
    std::fill_n(diagonal, q.stride, -1.0);
    for (int i = 0; i < q.n; ++i) {
      diagonal[i] = std::max(0.0, q.row(i)[i]);
    }
  }

  Lines rows;
  int rank = 0;
  std::vector<num::Line> left;    // diagonal of the remainder, -1 at pivots
  std::vector<num::Line> excess;  // contribution of pivots, see Excess
};

// Chooses the largest remaining diagonal element as next pivot,
// until the remainder is as small as the rounding of floats, or until stopped.
Factor factorise(const Convex& q, Pace& pace) {
  Factor l(q);
  double* left = num::elements(l.left.data());
  const double stop = 0x1p-20 * *std::max_element(left, left + q.n);
  l.rows.reserve(lines(q.stride) * static_cast<std::size_t>(std::min(q.n, 64)));
  while (l.rank < q.n) {
    const int p = HWY_DYNAMIC_DISPATCH(Pivot)(q, left);
    if (!(left[p] > stop) || pace(std::int64_t{l.rank + 1} * q.stride)) {
      break;
    }
    l.rows.resize(l.rows.size() + lines(q.stride));
    double* row = num::elements(l.rows.data()) + std::ptrdiff_t{l.rank} * q.stride;
    HWY_DYNAMIC_DISPATCH(EliminateRow)
    (q,
     num::elements(l.rows.data()),
     l.rank,
     p,
     row,
     left,
     num::elements(l.excess.data()));
    ++l.rank;
  }
  return l;
}

// Returns a diagonal D for which L'L + S + D is semidefinite for certain.
//
// A = L'L + S for any L, with S computed; L'L is semidefinite.  D + S is diagonally
// dominant, hence semidefinite, if D_ii >= sum over j != i of |S_ij| - S_ii.
// A sum of r products and one term errs by at most r + 2 units of the sum of
// magnitudes, here |A_ij| + w_i w_j with w_i the norm of column i of L.
// Adding n such sums adds n units; storing A_ii + D_ii adds more.
// Doubling covers the rounding of the error bounds.
std::vector<double> dominate(const Convex& q, Factor l, Pace& pace) {
  const auto n = static_cast<std::size_t>(q.n);
  std::vector<double> magnitude(n);
  HWY_DYNAMIC_DISPATCH(RowMagnitudes)(q, magnitude.data());
  std::vector<num::Line> scratch(lines(q.stride));
  double* excess = num::elements(l.excess.data());
  HWY_DYNAMIC_DISPATCH(Excess)
  (q,
   num::elements(l.rows.data()),
   l.rank,
   num::elements(l.left.data()),
   num::elements(scratch.data()),
   excess,
   pace);
  double* norm = num::elements(scratch.data());
  HWY_DYNAMIC_DISPATCH(SquaredNorms)
  (q, num::elements(l.rows.data()), l.rank, norm);
  double norms = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    norm[i] = std::sqrt(norm[i]);
    norms += norm[i];
  }
  std::vector<double> shift(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double need = std::max(0.0, excess[i]);
    const double magnitudes = magnitude[i] + norm[i] * norms + need;
    shift[i] = need + 2.0 * (l.rank + q.n + 4) * kUnit * magnitudes;
  }
  return shift;
}

// dominate() with the factor that time allows.
// Without a factor, S = A, and two passes over A suffice.
std::vector<double> dominate(const Convex& q, Pace& pace) {
  std::vector<double> shift;
  if (!pace.stopped()) {
    shift = dominate(q, factorise(q, pace), pace);
  }
  if (pace.stopped()) {
    const Stop never;
    Pace unhurried(never);
    shift = dominate(q, Factor(q), unhurried);
  }
  return shift;
}

// Estimates the smallest eigenvalue, at most a few per cent too high.
double smallest_eigenvalue(const Convex& q, const Stop& stop) {
  std::vector<num::Line> memory(2 * lines(q.stride));
  double* from = num::elements(memory.data());
  double* to = from + q.stride;
  return lowest_eigenvalue(
      q.n,
      24 + q.n / 8,
      [&](std::span<const double> v, std::span<double> out) {
        std::ranges::copy(v, from);
        HWY_DYNAMIC_DISPATCH(Multiply)(q, from, to);
        std::copy_n(to, q.n, out.begin());
      },
      stop);
}

// True if a nonzero row has a diagonal element <= 0.
bool surely_indefinite(const Convex& q) {
  for (int i = 0; i < q.n; ++i) {
    const double* row = q.row(i);
    if (row[i] <= 0.0 &&
        std::any_of(row, row + q.n, [](double a) { return a != 0.0; })) {
      return true;
    }
  }
  return false;
}

void add_to_diagonal(Convex& q, std::span<const double> shift) {
  for (int i = 0; i < q.n; ++i) {
    q.row(i)[i] += shift[static_cast<std::size_t>(i)];
    num::elements(q.shift.data())[i] += shift[static_cast<std::size_t>(i)];
  }
}

// Allocates an (n,n) matrix and sets only the padding.
Convex with_room(int n) {
  Convex q;
  q.n = n;
  q.stride = num::whole_lines(n);
  q.a.resize(static_cast<std::size_t>(n) * lines(q.stride));
  for (int i = 0; i < n; ++i) {
    std::fill(q.row(i) + n, q.row(i) + q.stride, 0.0);
  }
  q.shift.resize(lines(q.stride));
  q.diagonal.resize(lines(q.stride));
  q.inverse.resize(lines(q.stride));
  return q;
}

void complete(Convex& q) {
  std::vector<double> magnitudes(static_cast<std::size_t>(q.n));
  HWY_DYNAMIC_DISPATCH(RowMagnitudes)(q, magnitudes.data());
  q.magnitude = std::accumulate(magnitudes.begin(), magnitudes.end(), 0.0);
  for (int i = 0; i < q.n; ++i) {
    const double a = q.row(i)[i];
    num::elements(q.diagonal.data())[i] = a;
    // The limit avoids a product of 0 and infinity.
    num::elements(q.inverse.data())[i] = a > 0.0 ? std::min(1.0 / a, 0x1p1000) : 0.0;
  }
}

}  // namespace

Convex convexified(const qubo::Matrix& j, const Stop& stop) {
  Pace pace(stop);
  Convex q = with_room(j.size());
  for (int i = 0; i < q.n; ++i) {
    std::copy_n(j.row(i), q.n, q.row(i));
  }
  std::vector<double> magnitudes(static_cast<std::size_t>(q.n));
  HWY_DYNAMIC_DISPATCH(RowMagnitudes)(q, magnitudes.data());
  const double magnitude = std::accumulate(magnitudes.begin(), magnitudes.end(), 0.0);
  if (!surely_indefinite(q)) {
    const std::vector<double> shift = dominate(q, pace);
    if (std::accumulate(shift.begin(), shift.end(), 0.0) <= kNegligible * magnitude) {
      add_to_diagonal(q, shift);
      complete(q);
      return q;
    }
  }
  q.lifted = true;
  if (!pace.stopped()) {
    // An estimate of the eigenvalue; dominate() adds the rest.
    const double lift =
        std::max(0.0, -1.01 * smallest_eigenvalue(q, stop)) + 0x1p-24 * magnitude / q.n;
    add_to_diagonal(q, std::vector<double>(magnitudes.size(), lift));
  }
  add_to_diagonal(q, dominate(q, pace));
  complete(q);
  return q;
}

Convex convex_as_it_is(const qubo::Matrix& j, const Stop& stop) {
  Convex q = convexified(j, stop);
  if (!q.lifted) {
    for (int i = 0; i < q.n; ++i) {
      q.row(i)[i] = j(i, i);
      num::elements(q.shift.data())[i] = 0.0;
    }
    complete(q);
  }
  return q;
}

Convex convexified(const qubo::Matrix& j, std::span<const double> h, const Stop& stop) {
  Pace pace(stop);
  Convex q = with_room(j.size());
  for (int i = 0; i < q.n; ++i) {
    std::copy_n(j.row(i), q.n, q.row(i));
  }
  q.lifted = true;
  add_to_diagonal(q, dual_shift(j, h, stop));
  add_to_diagonal(q, dominate(q, pace));  // adds what the estimate lacks
  complete(q);
  return q;
}

Convex restricted(const Convex& q, std::span<const int> variables) {
  Convex r = with_room(static_cast<int>(variables.size()));
  r.lifted = q.lifted;
  for (int i = 0; i < r.n; ++i) {
    const double* from = q.row(variables[static_cast<std::size_t>(i)]);
    double* to = r.row(i);
    for (int k = 0; k < r.n; ++k) {
      to[k] = from[variables[static_cast<std::size_t>(k)]];
    }
    num::elements(r.shift.data())[i] =
        num::elements(q.shift.data())[variables[static_cast<std::size_t>(i)]];
  }
  complete(r);
  return r;
}

}  // namespace oa::solve
#endif
