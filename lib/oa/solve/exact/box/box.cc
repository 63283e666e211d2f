#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/exact/box/box.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::double_lines;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Mask>
HWY_INLINE std::uint64_t bits(Mask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

// Adds t * A_k to g.
HWY_INLINE void add_row(const Convex& q, int k, double t, double* HWY_RESTRICT g) {
  const double* HWY_RESTRICT row = q.row(k);
  const V step = hn::Set(d, t);
  for (int i = 0; i < q.stride; i += kLanes) {
    hn::Store(hn::MulAdd(step, load(row + i), load(g + i)), d, g + i);
  }
}

double Start(const Convex& q, const double* h, double* c, const Node& v) {
  const double* shift = num::elements(q.shift.data());
  const V zero = hn::Zero(d);
  std::copy_n(h, q.n, c);
  std::fill_n(c + q.n, q.stride - q.n, 0.0);
  V sum = zero;
  for (int i = 0; i < q.stride; i += kLanes) {
    const V ci = hn::NegMulAdd(hn::Set(d, 0.5), load(shift + i), load(c + i));
    hn::Store(ci, d, c + i);
    hn::Store(ci, d, v.g + i);
    hn::Store(zero, d, v.y + i);
    hn::Store(zero, d, v.lo + i);
    hn::Store(hn::Set(d, 1.0), d, v.hi + i);
    sum = hn::Add(sum, hn::Abs(ci));
  }
  std::fill_n(v.hi + q.n, q.stride - q.n, 0.0);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// Returns the lanes in [from, to) whose variable is not at its coordinate minimum.
HWY_INLINE std::uint64_t movable(
    const Convex& q, const Node& v, double tolerance, int from, int to) {
  const double* inverse = num::elements(q.inverse.data());
  std::uint64_t word = 0;
  for (int i = from; i < to; i += kLanes) {
    const V y = load(v.y + i);
    const V lowest = hn::NegMulAdd(load(v.g + i), load(inverse + i), y);
    const V target = hn::Min(hn::Max(lowest, load(v.lo + i)), load(v.hi + i));
    word |= bits(hn::Gt(hn::Abs(hn::Sub(target, y)), hn::Set(d, tolerance)))
            << (i - from);
  }
  return word;
}

// Returns a * b + c, fused if vector operations are fused.
HWY_INLINE double mul_add(double a, double b, double c) {
  const HWY_CAPPED(double, 1) one;
  return hn::GetLane(hn::MulAdd(hn::Set(one, a), hn::Set(one, b), hn::Set(one, c)));
}

// Moves every movable variable to its coordinate minimum, in order.
// A move depends on the previous move by a single element of g, computed separately:
// waiting for the whole row of g would double the time.
HWY_INLINE int pass(const Convex& q, const Node& v, double tolerance, Pace& pace) {
  const double* inverse = num::elements(q.inverse.data());
  int moves = 0;
  for (int from = 0; from < q.stride; from += 64) {
    std::uint64_t word = movable(q, v, tolerance, from, std::min(from + 64, q.stride));
    if (word == 0) {
      continue;
    }
    const int here = std::popcount(word);
    if (pace(std::int64_t{here} * q.stride)) {
      return moves;
    }
    moves += here;
    int k = from + std::countr_zero(word);
    double g = v.g[k];
    for (;;) {
      const double y = v.y[k];
      const double target =
          std::min(std::max(mul_add(-g, inverse[k], y), v.lo[k]), v.hi[k]);
      const double step = target - y;
      v.y[k] = target;
      word &= word - 1;
      if (word == 0) {
        add_row(q, k, step, v.g);
        break;
      }
      const int next = from + std::countr_zero(word);
      g = mul_add(step, q.row(k)[next], v.g[next]);
      add_row(q, k, step, v.g);
      k = next;
    }
  }
  return moves;
}

// A convex f has f(x) >= f(y) + g'(x - y) = -1/2 y'Ay + g'x for any x and y,
// where y'Ay = y'(g - c).  Over the box, g'x is lowest at a corner.
HWY_INLINE double bound(const Convex& q, const double* c, const Node& v) {
  V sum = hn::Zero(d);
  for (int i = 0; i < q.stride; i += kLanes) {
    const V g = load(v.g + i);
    const V y = hn::Mul(hn::Set(d, 0.5), load(v.y + i));
    const V corner = hn::Min(hn::Mul(g, load(v.lo + i)), hn::Mul(g, load(v.hi + i)));
    sum = hn::Add(sum, hn::MulAdd(y, hn::Sub(load(c + i), g), corner));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// Fixes variables whose other value would raise the bound by |g_i| > `gap`.
// Returns the number of free variables.
HWY_INLINE int fix(const Convex& q, const Node& v, double gap) {
  const V one = hn::Set(d, 1.0);
  int free = 0;
  for (int i = 0; i < q.stride; i += kLanes) {
    const V g = load(v.g + i);
    const V lo0 = load(v.lo + i);
    const V hi0 = load(v.hi + i);
    const auto is_free = hn::Lt(lo0, hi0);
    const auto up = hn::And(is_free, hn::Lt(g, hn::Set(d, -gap)));
    const auto down = hn::And(is_free, hn::Gt(g, hn::Set(d, gap)));
    const V lo = hn::IfThenElse(up, one, lo0);
    const V hi = hn::IfThenZeroElse(down, hi0);
    hn::Store(lo, d, v.lo + i);
    hn::Store(hi, d, v.hi + i);
    free += std::popcount(bits(hn::Lt(lo, hi)));
  }
  return free;
}

Relaxed Relax(const Convex& q,
              const double* c,
              const Node& v,
              const RelaxLimits& limits,
              Pace& pace) {
  Relaxed r{-kInfinity, q.n, 0};
  int passes = limits.passes;
  // Without a threshold, only the final bound is used.
  const bool fixing = limits.threshold < kInfinity || q.n <= limits.enough;
  for (int p = 0;; ++p) {
    if (fixing || p == passes) {
      const double here = bound(q, c, v);
      r.bound = std::max(r.bound, here);
      if (here > limits.threshold) {
        return r;
      }
      // |g| and the bound must belong to the same y.
      r.free = fix(q, v, limits.threshold - here);
      if (r.free <= limits.enough) {
        return r;
      }
    }
    if (p == passes) {
      return r;
    }
    const int moves = pass(q, v, limits.tolerance, pace);
    if (moves == 0 || pace.stopped()) {
      passes = p + 1;
    }
    r.moves += moves;
  }
}

// Sets y to `target`, row by row, as long as `go` allows.
template <class Go>
HWY_INLINE int move_to(const Convex& q,
                       const Node& v,
                       const double* target,
                       const Go& go) {
  int moves = 0;
  for (int from = 0; from < q.stride; from += 64) {
    std::uint64_t word = 0;
    for (int i = from; i < std::min(from + 64, q.stride); i += kLanes) {
      word |= bits(hn::Ne(load(v.y + i), load(target + i))) << (i - from);
    }
    moves += std::popcount(word);
    for (; word != 0 && go(); word &= word - 1) {
      const int k = from + std::countr_zero(word);
      add_row(q, k, target[k] - v.y[k], v.g);
      v.y[k] = target[k];
    }
  }
  return moves;
}

HWY_INLINE double value(const Convex& q, const double* c, const Node& v) {
  V sum = hn::Zero(d);
  for (int i = 0; i < q.stride; i += kLanes) {
    sum = hn::MulAdd(load(v.y + i), hn::Add(load(v.g + i), load(c + i)), sum);
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(d, sum));
}

// Returns f(x with x_i flipped) - f(x) for free variables, 0 for fixed variables.
HWY_INLINE V flip_delta(const Convex& q, const Node& v, int i) {
  const V sign = hn::NegMulAdd(hn::Set(d, 2.0), load(v.y + i), hn::Set(d, 1.0));
  const V half = hn::Mul(hn::Set(d, 0.5), load(num::elements(q.diagonal.data()) + i));
  const V delta = hn::MulAdd(sign, load(v.g + i), half);
  return hn::IfThenElseZero(hn::Lt(load(v.lo + i), load(v.hi + i)), delta);
}

// Flips the variable that lowers f most; false if no flip lowers f.
HWY_INLINE bool flip_best(const Convex& q, const Node& v) {
  V least = hn::Zero(d);
  for (int i = 0; i < q.stride; i += kLanes) {
    least = hn::Min(least, flip_delta(q, v, i));
  }
  least = hn::MinOfLanes(d, least);
  if (!(hn::GetLane(least) < 0.0)) {
    return false;
  }
  int k = 0;
  for (std::uint64_t word = 0; word == 0; k += kLanes) {
    word = bits(hn::Eq(flip_delta(q, v, k), least));
    if (word != 0) {
      k += std::countr_zero(word) - kLanes;
    }
  }
  add_row(q, k, 1.0 - 2.0 * v.y[k], v.g);
  v.y[k] = 1.0 - v.y[k];
  return true;
}

double Round(
    const Convex& q, const double* c, const Node& from, const Node& to, Pace& pace) {
  for (int i = 0; i < q.stride; i += kLanes) {
    const V y = load(from.y + i);
    const V x = hn::IfThenElseZero(hn::Gt(y, hn::Set(d, 0.5)), hn::Set(d, 1.0));
    hn::Store(y, d, to.y + i);
    hn::Store(load(from.g + i), d, to.g + i);
    hn::Store(hn::Min(hn::Max(x, load(from.lo + i)), load(from.hi + i)), d, to.lo + i);
  }
  move_to(q, to, to.lo, [&] { return !pace(q.stride); });
  std::copy_n(to.lo, q.stride, to.y);
  std::copy_n(from.lo, q.stride, to.lo);
  std::copy_n(from.hi, q.stride, to.hi);
  // The limit ends cycles of flips, which rounding can cause.
  for (int flips = 0; flips < 2 * q.n && !pace(2 * q.stride) && flip_best(q, to);
       ++flips) {
  }
  return pace.stopped() ? kInfinity : value(q, c, to);
}

double Settle(const Convex& q, const double* c, const Node& v, int& moves) {
  moves += move_to(q, v, v.lo, [] { return true; });
  return value(q, c, v);
}

int ListFree(const Convex& q, const Node& v, int* variables) {
  int count = 0;
  for (int i = 0; i < q.stride; i += kLanes) {
    for (auto word = bits(hn::Lt(load(v.lo + i), load(v.hi + i))); word != 0;
         word &= word - 1) {
      variables[count++] = i + std::countr_zero(word);
    }
  }
  return count;
}

// The linear and quadratic terms of a settled node's free variables.
struct Small {
  int k;
  double field[kMaxEnumerated];
  double pair[kMaxEnumerated][kMaxEnumerated];
};

HWY_INLINE Small gather(const Convex& q, const Node& v, const int* variables, int k) {
  Small s;
  s.k = std::max(k, 3);
  for (int a = 0; a < k; ++a) {
    const double* row = q.row(variables[a]);
    s.field[a] = v.g[variables[a]] + 0.5 * row[variables[a]];
    for (int b = 0; b < a; ++b) {
      s.pair[a][b] = row[variables[b]];
    }
  }
  for (int a = k; a < s.k; ++a) {
    s.field[a] = kInfinity;
    std::fill_n(s.pair[a], a, 0.0);
  }
  return s;
}

// Sets out[s] to base + the sum of w_b over the bits b of s, for s < 8.
HWY_INLINE void fill_eight(double base, const double* w, double* out) {
  alignas(64) static constexpr double kBits[3][8] = {
      {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};
  for (int i = 0; i < 8; i += kLanes) {
    V sum = hn::Set(d, base);
    for (int a = 0; a < 3; ++a) {
      sum = hn::MulAdd(load(kBits[a] + i), hn::Set(d, w[a]), sum);
    }
    hn::Store(sum, d, out + i);
  }
}

// State s + 2^b has the energy of state s plus the field of b in s.
// The list of fields doubles in the same way, by 2^(k+1) additions.
void Enumerate(const Convex& q, const Node& v, double base, Enumeration& all) {
  all.free = ListFree(q, v, all.variables.data());
  const Small t = gather(q, v, all.variables.data(), all.free);
  all.count = 1 << t.k;
  double* energy = num::elements(all.energies.data());
  double* field = energy + all.count;
  // 0 times an infinite field would be NaN.
  for (int s = 0; s < 8; ++s) {
    energy[s] = base;
    for (int a = 0; a < 3; ++a) {
      if ((s >> a & 1) != 0) {
        energy[s] += t.field[a];
        for (int b = 0; b < a; ++b) {
          energy[s] += (s >> b & 1) != 0 ? t.pair[a][b] : 0.0;
        }
      }
    }
  }
  V least = load(energy);
  for (int i = kLanes; i < 8; i += kLanes) {
    least = hn::Min(least, load(energy + i));
  }
  for (int b = 3; b < t.k; ++b) {
    fill_eight(t.field[b], t.pair[b], field);
    for (int a = 3; a < b; ++a) {
      const V step = hn::Set(d, t.pair[b][a]);
      for (int s = 0; s < 1 << a; s += kLanes) {
        hn::Store(hn::Add(load(field + s), step), d, field + (1 << a) + s);
      }
    }
    for (int s = 0; s < 1 << b; s += kLanes) {
      const V sum = hn::Add(load(energy + s), load(field + s));
      hn::Store(sum, d, energy + (1 << b) + s);
      least = hn::Min(least, sum);
    }
  }
  all.least = hn::GetLane(hn::MinOfLanes(d, least));
}

void Select(const Enumeration& all, double limit, std::vector<int>& elements) {
  elements.clear();
  const double* energy = num::elements(all.energies.data());
  for (int i = 0; i < all.count; i += kLanes) {
    auto word = bits(hn::Le(load(energy + i), hn::Set(d, limit)));
    for (; word != 0; word &= word - 1) {
      elements.push_back(i + std::countr_zero(word));
    }
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {

HWY_EXPORT(Start);
HWY_EXPORT(Relax);
HWY_EXPORT(Round);
HWY_EXPORT(Settle);
HWY_EXPORT(ListFree);
HWY_EXPORT(Enumerate);
HWY_EXPORT(Select);

double start(const Convex& q, std::span<const double> h, double* c, const Node& node) {
  return HWY_DYNAMIC_DISPATCH(Start)(q, h.data(), c, node);
}

Relaxed relax(const Convex& q,
              const double* c,
              const Node& node,
              const RelaxLimits& limits,
              Pace& pace) {
  return HWY_DYNAMIC_DISPATCH(Relax)(q, c, node, limits, pace);
}

double round(
    const Convex& q, const double* c, const Node& from, const Node& to, Pace& pace) {
  return HWY_DYNAMIC_DISPATCH(Round)(q, c, from, to, pace);
}

double settle(const Convex& q, const double* c, const Node& node, int& moves) {
  return HWY_DYNAMIC_DISPATCH(Settle)(q, c, node, moves);
}

int list_free(const Convex& q, const Node& node, int* variables) {
  return HWY_DYNAMIC_DISPATCH(ListFree)(q, node, variables);
}

void enumerate(const Convex& q, const Node& node, double base, Enumeration& all) {
  HWY_DYNAMIC_DISPATCH(Enumerate)(q, node, base, all);
}

void select(const Enumeration& all, double limit, std::vector<int>& elements) {
  HWY_DYNAMIC_DISPATCH(Select)(all, limit, elements);
}

}  // namespace oa::solve
#endif
