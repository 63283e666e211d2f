#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/lane_random-inl.h"
#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// Simulated bifurcation: Goto et al., "High-performance combinatorial optimization
// based on classical mechanics", Science Advances 7 (2021).  Positions s and momenta p
// of oscillators, one for each variable, follow
//   dp/dt = -(1 - a(t)) s - c dE/ds,   ds/dt = p,   -1 <= s <= 1,   x = (1 - s) / 2,
// while a(t) rises from 0 to 1; at the walls p becomes 0.  At the end s is near +-1,
// and the sign of s gives x.  The ballistic form computes the force at s;
// the discrete form at the signs of s, which is more accurate but converges less.

#ifndef OA_SOLVE_BIFURCATION_STATE
#define OA_SOLVE_BIFURCATION_STATE
namespace oa::solve {
namespace {

/// The point at which forces are computed.
enum class ForceAt : std::uint8_t { Positions, Signs };

struct Oscillators {
  num::FloatLine* position;
  num::FloatLine* momentum;
  num::FloatLine* x;
  num::FloatLine* field;  // dE/dx = -2 dE/ds
  int n;
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::float_lines;

void Begin(const Oscillators& o, LaneRandom& random) {
  const V width = hn::Set(d, 0.2F);
  const V half = hn::Set(d, 0.5F);
  for (int i = 0; i < o.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      hn::Store(hn::Mul(width, hn::Sub(random::uniform(random, l), half)),
                d,
                o.position[i].lane + l);
      hn::Store(hn::Mul(width, hn::Sub(random::uniform(random, l), half)),
                d,
                o.momentum[i].lane + l);
    }
  }
}

HWY_INLINE V SignOf(V s) {
  const V one = hn::Set(d, 1.0F);
  return hn::IfThenElse(hn::Lt(s, hn::Zero(d)), hn::Neg(one), one);
}

// Sets x from positions or from their signs.
void Observe(const Oscillators& o, ForceAt at) {
  const bool signs = at == ForceAt::Signs;
  const V half = hn::Set(d, 0.5F);
  for (int i = 0; i < o.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V s = hn::Load(d, o.position[i].lane + l);
      const V x = hn::NegMulAdd(half, signs ? SignOf(s) : s, half);
      hn::Store(x, d, o.x[i].lane + l);
    }
  }
}

// Moves each oscillator to the nearer wall.
void Settle(const Oscillators& o) {
  for (int i = 0; i < o.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      float* s = o.position[i].lane + l;
      hn::Store(SignOf(hn::Load(d, s)), d, s);
    }
  }
}

// Does one step of length dt, with `pull` = 1 - a.
void Step(const Oscillators& o, float pull, float force, float dt) {
  const V spring = hn::Set(d, -pull * dt);
  const V push = hn::Set(d, 0.5F * force * dt);
  const V time = hn::Set(d, dt);
  const V one = hn::Set(d, 1.0F);
  for (int i = 0; i < o.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V s = hn::Load(d, o.position[i].lane + l);
      V p = hn::Load(d, o.momentum[i].lane + l);
      p = hn::MulAdd(spring, s, p);
      p = hn::MulAdd(push, hn::Load(d, o.field[i].lane + l), p);
      const V moved = hn::MulAdd(time, p, s);
      const V held = hn::Min(hn::Max(moved, hn::Neg(one)), one);
      hn::Store(held, d, o.position[i].lane + l);
      hn::Store(hn::IfThenElseZero(hn::Eq(held, moved), p), d, o.momentum[i].lane + l);
    }
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Begin);
HWY_EXPORT(Observe);
HWY_EXPORT(Settle);
HWY_EXPORT(Step);

// The best parameters of a coarse search on attention problems.
// `force` is c times the typical force, the mean norm of a row of couplings.
struct Dynamics {
  double step;
  double force;
};
constexpr Dynamics kBallistic{1.0, 0.5};
constexpr Dynamics kDiscrete{0.5, 1.0};
constexpr int kSteps = 100;
constexpr double kRising = 0.6;  // share of the remaining time in which a rises to 1

class Bifurcation final : public Solver {
 public:
  Bifurcation(const Batch& batch, const Settings& settings, ForceAt at)
      : j_(batch),
        found_(batch, settings.top),
        at_(at),
        steps_(settings.sweeps > 0 ? settings.sweeps : kSteps),
        settings_(settings),
        own_(static_cast<std::size_t>(j_.stride())),
        position_(static_cast<std::size_t>(batch.size())),
        momentum_(position_.size()),
        x_(position_.size()),
        field_(position_.size()),
        best_(batch.size()) {}

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    found_.begin(h);
    j_.fields(h, own_.data());
    const bool growing = settings_.until(stop);
    return run_reads(
        settings_, rng, stop, best_, found_, [&](const Rng& draws, int round) {
          return run(draws, growing ? grown(steps_, round) : steps_, stop);
        });
  }

 private:
  // Returns true if stopped.
  bool run(const Rng& rng, int steps, const Stop& stop) {
    const Oscillators o{
        position_.data(), momentum_.data(), x_.data(), field_.data(), j_.size()};
    LaneRandom random(rng);
    HWY_DYNAMIC_DISPATCH(Begin)(o, random);
    best_.clear();
    const bool discrete = at_ == ForceAt::Signs;
    const Dynamics& dynamics = discrete ? kDiscrete : kBallistic;
    const auto dt = static_cast<float>(dynamics.step);
    // In spins, couplings are J_ik / 4.
    const double typical = std::max(0.25 * j_.spread(), 0x1p-60);
    const auto force = static_cast<float>(dynamics.force / typical);
    Pace pace(stop);
    const Course course(steps + 1, stop, kRising);
    double done = 0.0;
    for (int step = 0; step < steps && done < 1.0; ++step) {
      HWY_DYNAMIC_DISPATCH(Observe)(o, at_);
      if (!replica_fields(j_, own_, x_, field_, pace)) {
        return true;
      }
      if (discrete) {
        best_.update(position_, replica_energies(own_, x_, field_));
      }
      HWY_DYNAMIC_DISPATCH(Step)(o, 1.0F - static_cast<float>(done), force, dt);
      done = course(step + 1);
    }
    HWY_DYNAMIC_DISPATCH(Settle)(o);
    HWY_DYNAMIC_DISPATCH(Observe)(o, ForceAt::Signs);
    if (!replica_fields(j_, own_, x_, field_, pace)) {
      return true;
    }
    num::FloatLine energy = replica_energies(own_, x_, field_);
    replica_descend(j_, position_, field_, energy, pace);
    best_.update(position_, energy);
    return stop();
  }

  Couplings j_;
  Collector found_;
  ForceAt at_;
  int steps_;
  Settings settings_;
  std::vector<float> own_;
  std::vector<num::FloatLine> position_;
  std::vector<num::FloatLine> momentum_;
  std::vector<num::FloatLine> x_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

}  // namespace

std::unique_ptr<Solver> make_ballistic_bifurcation(const Batch& batch,
                                                   const Settings& settings,
                                                   const Stop& /*stop*/) {
  return std::make_unique<Bifurcation>(batch, settings, ForceAt::Positions);
}

std::unique_ptr<Solver> make_discrete_bifurcation(const Batch& batch,
                                                  const Settings& settings,
                                                  const Stop& /*stop*/) {
  return std::make_unique<Bifurcation>(batch, settings, ForceAt::Signs);
}

}  // namespace oa::solve
#endif
