#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/anneal.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/lane_random-inl.h"
#include "oa/solve/method.h"
#include "oa/solve/replicas.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983).  A sweep proposes to flip
// each variable once, in order; a rise by D is accepted with probability exp(-D/T).

#ifndef OA_SOLVE_ANNEAL_STATE
#define OA_SOLVE_ANNEAL_STATE
namespace oa::solve {
namespace {

struct AnnealState {
  num::FloatLine* sign;    // 1 where x is 0, -1 where it is 1: a flip adds sign * field
  num::FloatLine* field;   // h_i + J_ii/2 + sum of J_ik x_k
  num::FloatLine* energy;  // one line
  LaneRandom* random;
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = HWY_CAPPED(float, kReplicas);
using V = hn::Vec<D>;
constexpr D d;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));

// One sweep at temperature t.  Returns whether anything flipped.
bool Sweep(const Couplings& j, const AnnealState& s, float t) {
  const V reach = hn::Set(d, random::kMostExponential * t);  // what may be accepted
  bool flipped = false;
  for (int i = 0; i < j.size(); ++i) {
    for (int l = 0; l < kReplicas; l += kLanes) {
      const V sign = hn::Load(d, s.sign[i].lane + l);
      const V change = hn::Mul(sign, hn::Load(d, s.field[i].lane + l));
      if (hn::AllFalse(d, hn::Lt(change, reach))) {
        continue;
      }
      const V cost = hn::Mul(hn::Set(d, t), random::exponential(*s.random, l));
      const auto accept = hn::Lt(change, cost);
      if (hn::AllFalse(d, accept)) {
        continue;
      }
      flipped = true;
      const V delta = hn::IfThenElseZero(accept, sign);
      const float* row = j.row(i);
      for (int k = 0; k < j.size(); ++k) {
        float* field = s.field[k].lane + l;
        hn::Store(hn::MulAdd(hn::Set(d, row[k]), delta, hn::Load(d, field)), d, field);
      }
      hn::Store(hn::IfThenElse(accept, hn::Neg(sign), sign), d, s.sign[i].lane + l);
      float* energy = s.energy->lane + l;
      hn::Store(
          hn::Add(hn::Load(d, energy), hn::IfThenElseZero(accept, change)), d, energy);
    }
  }
  return flipped;
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Sweep);

// Temperatures in units of how far a variable's field varies, measured on attention
// problems of 49 variables and on Beasley's of 100 to 1000.
constexpr double kHot = 0.25;
constexpr double kCold = 0.02;
int default_sweeps(int n) {
  return 8 + n / 4;
}

// The defaults of the CIM vendor's classical annealer.  Whether its ten iterations per
// temperature are flips or sweeps is not documented; these are sweeps.
std::vector<float> vendor_temperatures(double scale) {
  std::vector<float> all;
  for (double t = 100.0; t > 1e-3; t *= 0.99) {
    all.insert(all.end(), 10, static_cast<float>(t * scale));
  }
  return all;
}

// A temperature for each sweep, in the units of the couplings.
std::vector<float> temperatures(const Couplings& j, const Settings& settings) {
  if (settings.schedule == Schedule::Vendor) {
    return vendor_temperatures(j.scale());
  }
  const double hot = settings.hot > 0.0 ? settings.hot * j.scale() : kHot * j.spread();
  const double cold =
      settings.cold > 0.0 ? settings.cold * j.scale() : kCold * j.spread();
  const int sweeps = settings.sweeps > 0 ? settings.sweeps : default_sweeps(j.size());
  std::vector<float> all;
  for (int i = 0; i < sweeps; ++i) {
    const double part = sweeps > 1 ? static_cast<double>(i) / (sweeps - 1) : 1.0;
    const double t = settings.schedule == Schedule::Linear
                         ? hot + (cold - hot) * part
                         : hot * std::pow(cold / hot, part);
    all.push_back(static_cast<float>(t));
  }
  return all;
}

class Anneal {
 public:
  Anneal(const qubo::Matrix& j, const Settings& settings)
      : j_(j),
        found_(j, settings.top),
        temperatures_(temperatures(j_, settings)),
        reads_(settings.reads > 0 ? settings.reads : kReplicas),
        limit_s_(settings.time_limit_s),
        own_(static_cast<std::size_t>(j_.stride())),
        sign_(static_cast<std::size_t>(j.size())),
        field_(sign_.size()),
        best_(j.size()) {}

  Result solve(std::span<const double> h,
               const Rng& rng,
               const std::stop_token& token) {
    const Stop stop(token, limit_s_);
    found_.begin(h);
    j_.fields(h, own_.data());
    return run_reads(
        reads_, rng, best_, found_, [&](const Rng& draws) { return run(draws, stop); });
  }

 private:
  // Sixteen reads from x = 0.  Returns whether they were stopped.
  bool run(const Rng& rng, const Stop& stop) {
    LaneRandom random(rng);
    num::FloatLine energy{};
    for (std::size_t i = 0; i < sign_.size(); ++i) {
      std::ranges::fill(sign_[i].lane, 1.0F);
      std::ranges::fill(field_[i].lane, own_[i]);
    }
    best_.clear();
    best_.update(sign_, energy);
    const AnnealState state{sign_.data(), field_.data(), &energy, &random};
    for (const float t : temperatures_) {
      if (stop()) {
        return true;
      }
      if (HWY_DYNAMIC_DISPATCH(Sweep)(j_, state, t)) {
        best_.update(sign_, energy);
      }
    }
    replica_descend(j_, sign_, field_, energy);
    best_.update(sign_, energy);
    return false;
  }

  Couplings j_;
  Collector found_;
  std::vector<float> temperatures_;
  int reads_;
  double limit_s_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

}  // namespace

Solver anneal(const qubo::Matrix& j, const Settings& settings) {
  const auto solver = std::make_shared<Anneal>(j, settings);
  return
      [solver](std::span<const double> h, const Rng& rng, const std::stop_token& stop) {
        return solver->solve(h, rng, stop);
      };
}

}  // namespace oa::solve
#endif
