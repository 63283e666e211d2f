#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/lane_random-inl.h"
#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// The mean-field model of a coherent Ising machine: light pulses with amplitudes a,
// which are amplified by the pump p, damped by saturation,
// and coupled by measuring a and feeding back -dE/ds.  Phases are s = +-1:
//   da/dt = (p - 1 - a^2) a - c e dE/ds(a) + noise.
// As in the machine, an auxiliary pulse carries the linear terms of E,
// so that all terms are products of two amplitudes; final phases are relative to the
// auxiliary pulse.  With amplitude control (Leleu et al., "Destabilization of local
// minima in analog spin systems by correction of amplitude heterogeneity", Phys.  Rev.
// Lett.  122, 2019) each pulse has its own feedback gain e with
//   de/dt = -b (a^2 - t) e
// which drives all squared amplitudes to the target t; without control, e = 1.

#ifndef OA_SOLVE_CIM_STATE
#define OA_SOLVE_CIM_STATE
namespace oa::solve {
namespace {

struct Model {
  float pump;
  float feedback;
  float noise;  // standard deviation added per lap
  float dt;
  float rate;    // of the gains; 0 without amplitude control
  float target;  // of the squared amplitudes
  int laps;
};

// The state: a line for each variable, and one for the auxiliary pulse.
struct Pulses {
  num::FloatLine* amplitude;
  num::FloatLine* gain;
  num::FloatLine* force;  // dE/ds, in units of J / 4
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

void BeginPulses(const Pulses& p, LaneRandom& random) {
  for (int i = 0; i <= p.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V small = hn::Mul(hn::Set(d, 1e-3F), random::normal(random, l));
      hn::Store(small, d, p.amplitude[i].lane + l);
      hn::Store(hn::Set(d, 1.0F), d, p.gain[i].lane + l);
    }
  }
}

// Adds the linear terms b_i times the auxiliary amplitude to the forces, and computes
// the force on the auxiliary pulse.
void AddLinear(const float* linear, const Pulses& p) {
  for (int l = 0; l < kReplicas; l += kLanes) {
    const V auxiliary = hn::Load(d, p.amplitude[p.n].lane + l);
    V sum = hn::Zero(d);
    for (int i = 0; i < p.n; ++i) {
      const V b = hn::Set(d, linear[i]);
      float* force = p.force[i].lane + l;
      hn::Store(hn::MulAdd(b, auxiliary, hn::Load(d, force)), d, force);
      sum = hn::MulAdd(b, hn::Load(d, p.amplitude[i].lane + l), sum);
    }
    hn::Store(sum, d, p.force[p.n].lane + l);
  }
}

void StepPulses(const Pulses& p, const Model& m, LaneRandom& random) {
  const V one = hn::Set(d, 1.0F);
  const V dt = hn::Set(d, m.dt);
  const V wall = hn::Set(d, 2.0F);  // saturation keeps amplitudes well below it
  for (int i = 0; i <= p.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V a = hn::Load(d, p.amplitude[i].lane + l);
      const V e = hn::Load(d, p.gain[i].lane + l);
      const V square = hn::Mul(a, a);
      const V growth = hn::Mul(hn::Sub(hn::Set(d, m.pump - 1.0F), square), a);
      const V push =
          hn::Mul(hn::Set(d, m.feedback), hn::Mul(e, hn::Load(d, p.force[i].lane + l)));
      V next = hn::MulAdd(dt, hn::Sub(growth, push), a);
      next = hn::MulAdd(hn::Set(d, m.noise), random::normal(random, l), next);
      hn::Store(
          hn::Min(hn::Max(next, hn::Neg(wall)), wall), d, p.amplitude[i].lane + l);
      const V drift =
          hn::Mul(hn::Set(d, m.rate), hn::Sub(hn::Set(d, m.target), square));
      const V gain = hn::Mul(e, hn::MulAdd(dt, drift, one));
      hn::Store(hn::Min(hn::Max(gain, hn::Set(d, 1e-3F)), hn::Set(d, 1e3F)),
                d,
                p.gain[i].lane + l);
    }
  }
}

// Phases relative to the auxiliary pulse: sign is 1 where x is 0.
void ObservePulses(const Pulses& p, num::FloatLine* sign, num::FloatLine* x) {
  const V one = hn::Set(d, 1.0F);
  const V half = hn::Set(d, 0.5F);
  for (int i = 0; i < p.n; ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V a = hn::Mul(hn::Load(d, p.amplitude[i].lane + l),
                          hn::Load(d, p.amplitude[p.n].lane + l));
      const V s = hn::IfThenElse(hn::Gt(a, hn::Zero(d)), hn::Neg(one), one);
      hn::Store(s, d, sign[i].lane + l);
      hn::Store(hn::NegMulAdd(half, s, half), d, x[i].lane + l);
    }
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(BeginPulses);
HWY_EXPORT(AddLinear);
HWY_EXPORT(StepPulses);
HWY_EXPORT(ObservePulses);

// The vendor's old simulator has pump 0.7, noise 0.01, step 0.1, normalisation 0.3 and
// 50 laps, with undocumented formulas.  Here, noise is the variance added in each lap,
// and the normalisation is divided by the root mean square of the couplings.
constexpr Model kMeanField{.pump = 0.7F,
                           .feedback = 0.3F,
                           .noise = 0.1F,
                           .dt = 0.1F,
                           .rate = 0.0F,
                           .target = 0.0F,
                           .laps = 50};
// The best parameters of a coarse search on attention problems.
constexpr Model kControlled{.pump = 0.0F,
                            .feedback = 0.15F,
                            .noise = 0.0F,
                            .dt = 0.1F,
                            .rate = 3.0F,
                            .target = 0.5F,
                            .laps = 200};

class Machine final : public Solver {
 public:
  Machine(const Batch& batch, const Settings& settings, const Model& model)
      : j_(batch),
        found_(batch, settings.top),
        model_(model),
        laps_(settings.sweeps > 0 ? settings.sweeps : model.laps),
        settings_(settings),
        own_(static_cast<std::size_t>(j_.stride())),
        zero_(own_.size()),
        linear_(own_.size()),
        amplitude_(static_cast<std::size_t>(batch.size() + 1)),
        gain_(amplitude_.size()),
        force_(amplitude_.size()),
        sign_(static_cast<std::size_t>(batch.size())),
        x_(sign_.size()),
        field_(sign_.size()),
        best_(batch.size()) {
    const double square = j_.spread() * j_.spread() / j_.size();
    model_.feedback /= static_cast<float>(std::sqrt(std::max(square, 0x1p-60)));
  }

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    found_.begin(h);
    j_.fields(h, own_.data());
    // With x = (1 + s) / 2, phases have couplings J_ik / 4; multiplies all terms by 4.
    std::vector<num::FloatLine> scratch(j_.scratch() / num::kFloatLine);
    Pace pace(stop);  // if it stops, run() does nothing
    for (int i = 0; i < j_.size() && !pace(j_.stride()); ++i) {
      float sum = 2.0F * own_[static_cast<std::size_t>(i)];
      const CouplingRow row = j_.row(i, num::elements(scratch.data()));
      for (int k = 0; k < row.count; ++k) {
        sum += row.weights[k];
      }
      linear_[static_cast<std::size_t>(i)] = sum;
    }
    const bool growing = settings_.until(stop);
    return run_reads(
        settings_, rng, stop, best_, found_, [&](const Rng& draws, int round) {
          return run(draws, growing ? grown(laps_, round) : laps_, stop);
        });
  }

 private:
  // Returns true if stopped.
  bool run(const Rng& rng, int laps, const Stop& stop) {
    const Pulses pulses{amplitude_.data(), gain_.data(), force_.data(), j_.size()};
    LaneRandom random(rng);
    HWY_DYNAMIC_DISPATCH(BeginPulses)(pulses, random);
    best_.clear();
    Pace pace(stop);
    const auto n = static_cast<std::size_t>(j_.size());
    for (int lap = 0; lap < laps; ++lap) {
      if (!replica_fields(j_,
                          zero_,
                          std::span(amplitude_).first(n),
                          std::span(force_).first(n),
                          pace)) {
        return true;
      }
      HWY_DYNAMIC_DISPATCH(AddLinear)(linear_.data(), pulses);
      HWY_DYNAMIC_DISPATCH(StepPulses)(pulses, model_, random);
      if ((lap + 1 == laps || lap % kLook == kLook - 1) && !look(pulses, pace)) {
        return true;
      }
    }
    return stop();
  }

  // Reads the phases; returns false if stopped.
  bool look(const Pulses& pulses, Pace& pace) {
    HWY_DYNAMIC_DISPATCH(ObservePulses)(pulses, sign_.data(), x_.data());
    if (!replica_fields(j_, own_, x_, field_, pace)) {
      return false;
    }
    num::FloatLine energy = replica_energies(own_, x_, field_);
    best_.update(sign_, energy);
    return true;
  }

  static constexpr int kLook = 10;  // laps between readings

  Couplings j_;
  Collector found_;
  Model model_;
  int laps_;
  Settings settings_;
  std::vector<float> own_;
  std::vector<float> zero_;
  std::vector<float> linear_;
  std::vector<num::FloatLine> amplitude_;
  std::vector<num::FloatLine> gain_;
  std::vector<num::FloatLine> force_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> x_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

}  // namespace

std::unique_ptr<Solver> make_coherent_machine(const Batch& batch,
                                              const Settings& settings,
                                              const Stop& /*stop*/) {
  return std::make_unique<Machine>(batch, settings, kMeanField);
}

std::unique_ptr<Solver> make_controlled_machine(const Batch& batch,
                                                const Settings& settings,
                                                const Stop& /*stop*/) {
  return std::make_unique<Machine>(batch, settings, kControlled);
}

}  // namespace oa::solve
#endif
