#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/tabu.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/collector.h"
#include "oa/solve/couplings.h"
#include "oa/solve/method.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// Tabu search (Glover 1986) in its simplest form: flip the variable that lowers the
// energy most, or raises it least; do not flip it back for a while, unless that leads
// lower than ever.

#ifndef OA_SOLVE_TABU_STATE
#define OA_SOLVE_TABU_STATE
namespace oa::solve {
namespace {

// The arrays of a read, `stride` floats each.
struct TabuState {
  float* sign;    // 1 where x is 0, -1 where it is 1: flipping i adds sign_i field_i
  float* field;   // h_i + J_ii/2 + sum of J_ik x_k
  float* until;   // the step at which i may be flipped again
  float* change;  // scratch
  float* best;    // sign at the lowest energy
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = HWY_CAPPED(float, num::kFloatLine);
using V = hn::Vec<D>;
constexpr D d;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));

HWY_INLINE V load(const float* p) {
  return hn::Load(d, p);
}

// The first lane of `values` equal to x, which is there.
HWY_INLINE int find(const float* values, float x) {
  const V wanted = hn::Set(d, x);
  for (int i = 0;; i += kLanes) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Eq(load(values + i), wanted), bytes);
    const unsigned bits = bytes[0] | unsigned{bytes[1]} << 8;
    if (bits != 0) {
      return i + std::countr_zero(bits);
    }
  }
}

// `steps` flips from where the state is.  One loop over the variables does the flip and
// looks for the next: what was stored is not read again at once in another width.
void Search(const Couplings& j, const TabuState& s, int steps, int tenure) {
  const int stride = j.stride();
  const V zero = hn::Zero(d);
  const V never = hn::Set(d, std::numeric_limits<float>::max());
  const V none = hn::Set(d, -1.0F);
  float energy = 0.0F;
  float lowest = 0.0F;
  const float* row = j.row(0);
  V delta = zero;  // nothing to flip yet
  V flipped = none;
  for (int step = 0;; ++step) {
    const V now = hn::Set(d, static_cast<float>(step));
    const V later = hn::Set(d, static_cast<float>(step + tenure));
    const V enough = hn::Set(d, lowest - energy);
    V lane = hn::Iota(d, 0.0F);
    V least = never;
    for (int i = 0; i < stride; i += kLanes) {
      const auto here = hn::Eq(lane, flipped);
      const V field = hn::MulAdd(delta, load(row + i), load(s.field + i));
      const V sign = load(s.sign + i);
      const V turned = hn::IfThenElse(here, hn::Neg(sign), sign);
      const V until = hn::IfThenElse(here, later, load(s.until + i));
      const V change = hn::Mul(turned, field);
      const auto open = hn::Or(hn::Le(until, now), hn::Lt(change, enough));
      const V allowed = hn::IfThenElse(open, change, never);
      least = hn::Min(least, allowed);
      hn::Store(field, d, s.field + i);
      hn::Store(turned, d, s.sign + i);
      hn::Store(until, d, s.until + i);
      hn::Store(allowed, d, s.change + i);
      lane = hn::Add(lane, hn::Set(d, static_cast<float>(kLanes)));
    }
    if (energy < lowest) {
      lowest = energy;
      std::copy_n(s.sign, stride, s.best);
    }
    if (step == steps) {
      return;
    }
    const float change = hn::GetLane(hn::MinOfLanes(d, least));
    const int k = find(s.change, change);
    delta = hn::Set(d, s.sign[k]);
    flipped = hn::Set(d, static_cast<float>(k));
    row = j.row(k);
    energy += change;
  }
}

// field += J x for the x of `sign`.
void AddRows(const Couplings& j, const TabuState& s) {
  for (int k = 0; k < j.size(); ++k) {
    if (s.sign[k] < 0.0F) {
      const float* row = j.row(k);
      for (int i = 0; i < j.stride(); i += kLanes) {
        hn::Store(hn::Add(load(row + i), load(s.field + i)), d, s.field + i);
      }
    }
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Search);
HWY_EXPORT(AddRows);

// Measured on attention problems of 49 variables, where shorter is better than usual,
// and on Beasley's of 100 to 1000.
// Fewer than there are variables, so that one may always be flipped.
int tenure(int n) {
  return std::min({20, 2 + n / 16, n - 1});
}
int default_sweeps(int n) {
  return 1 + n / 50;
}
constexpr int kReads = 8;

class Tabu {
 public:
  Tabu(const qubo::Matrix& j, const Settings& settings)
      : j_(j),
        found_(j, settings.top),
        reads_(settings.reads > 0 ? settings.reads : kReads),
        steps_((settings.sweeps > 0 ? settings.sweeps : default_sweeps(j.size())) *
               (j.size() + 1)),
        limit_s_(settings.time_limit_s),
        memory_(static_cast<std::size_t>(6 * j_.stride() / num::kFloatLine)),
        x_(static_cast<std::size_t>(j.size())) {
    float* p = num::elements(memory_.data());
    state_ = {p,
              p + j_.stride(),
              p + 2 * j_.stride(),
              p + 3 * j_.stride(),
              p + 4 * j_.stride()};
    fields_ = p + 5 * j_.stride();
  }

  Result solve(std::span<const double> h,
               const Rng& rng,
               const std::stop_token& token) {
    const Stop stop(token, limit_s_);
    found_.begin(h);
    j_.fields(h, fields_);
    int read = 0;
    do {
      start(read, rng);
      HWY_DYNAMIC_DISPATCH(Search)(j_, state_, steps_, tenure(j_.size()));
      for (int i = 0; i < j_.size(); ++i) {
        x_[static_cast<std::size_t>(i)] = state_.best[i] < 0.0F ? 1 : 0;
      }
      found_.offer(x_);
    } while (++read < reads_ && !stop());
    return found_.take(read < reads_);
  }

 private:
  // The first read starts from nothing, the others anywhere.
  void start(int read, const Rng& rng) {
    std::fill_n(state_.sign, j_.stride(), 1.0F);
    std::fill_n(state_.until, j_.stride(), 0.0F);
    std::copy_n(fields_, j_.stride(), state_.field);
    if (read > 0) {
      Rng draws = rng.fork(static_cast<std::uint64_t>(read));
      std::uint32_t bits = 0;
      for (int i = 0; i < j_.size(); ++i) {
        bits = i % 32 == 0 ? draws.u32() : bits >> 1;
        state_.sign[i] = (bits & 1) != 0 ? -1.0F : 1.0F;
      }
      HWY_DYNAMIC_DISPATCH(AddRows)(j_, state_);
    }
    std::copy_n(state_.sign, j_.stride(), state_.best);
  }

  Couplings j_;
  Collector found_;
  int reads_;
  int steps_;
  double limit_s_;
  std::vector<num::FloatLine> memory_;
  TabuState state_{};
  float* fields_;
  std::vector<std::uint8_t> x_;
};

}  // namespace

Solver tabu(const qubo::Matrix& j, const Settings& settings) {
  const auto solver = std::make_shared<Tabu>(j, settings);
  return
      [solver](std::span<const double> h, const Rng& rng, const std::stop_token& stop) {
        return solver->solve(h, rng, stop);
      };
}

}  // namespace oa::solve
#endif
