#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/sparse_anneal.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/lane_random-inl.h"
#include "oa/solve/sparse_anneal.h"

#include <algorithm>
#include <cmath>

#include <hwy/highway.h>

#ifndef OA_SOLVE_SPARSE_STATE
#define OA_SOLVE_SPARSE_STATE
namespace oa::solve {
namespace {

struct SparseState {
  int n;
  const std::size_t* rows;
  const FloatCoupling* couplings;
  num::FloatLine* sign;    // 1 where x is 0, -1 where it is 1: a flip adds sign * field
  num::FloatLine* field;   // linear_i + sum of weight_ik x_k
  num::FloatLine* energy;  // one line, from the start
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

// Flips variable i in the lanes of `accept`, in which `sign` belongs to it.
HWY_INLINE void flip(
    const SparseState& s, int i, int l, hn::Mask<D> accept, V sign, V change) {
  const V delta = hn::IfThenElseZero(accept, sign);
  const FloatCoupling* end = s.couplings + s.rows[i + 1];
  for (const FloatCoupling* c = s.couplings + s.rows[i]; c < end; ++c) {
    float* field = s.field[c->other].lane + l;
    hn::Store(hn::MulAdd(hn::Set(d, c->weight), delta, hn::Load(d, field)), d, field);
  }
  hn::Store(hn::IfThenElse(accept, hn::Neg(sign), sign), d, s.sign[i].lane + l);
  float* energy = s.energy->lane + l;
  hn::Store(
      hn::Add(hn::Load(d, energy), hn::IfThenElseZero(accept, change)), d, energy);
}

// One sweep at temperature t, which may be 0.  Returns whether anything flipped.
bool SparseSweep(const SparseState& s, float t) {
  const V reach = hn::Set(d, random::kMostExponential * t);  // what may be accepted
  bool flipped = false;
  for (int i = 0; i < s.n; ++i) {
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
      flip(s, i, l, accept, sign, change);
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

HWY_EXPORT(SparseSweep);

// Temperatures in units of how far a variable's field varies, measured on Gset's G1,
// G22 and G43 and on Beasley's problems of 250 and 1000 variables.
constexpr double kHot = 0.25;
constexpr double kCold = 0.02;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

SparseAnneal::SparseAnneal(const qubo::Quadratic& f)
    : f_(f),
      rows_(at(f.size()) + 1),
      own_(at(f.size())),
      sign_(at(f.size())),
      field_(at(f.size())) {
  double most = 0.0;
  for (int i = 0; i < f.size(); ++i) {
    most = std::max(most, std::abs(f.linear[at(i)]));
    for (const qubo::Coupling& c : f.row(i)) {
      most = std::max(most, std::abs(c.weight));
    }
  }
  if (most > 0.0) {
    scale_ = std::ldexp(1.0, -std::max(std::ilogb(most), -1000));
  }
  couplings_.reserve(2 * static_cast<std::size_t>(f.pairs()));
  for (int i = 0; i < f.size(); ++i) {
    double squares = 0.0;
    for (const qubo::Coupling& c : f.row(i)) {
      const double weight = c.weight * scale_;
      couplings_.push_back({c.other, static_cast<float>(weight)});
      squares += weight * weight;
    }
    rows_[at(i) + 1] = couplings_.size();
    own_[at(i)] = static_cast<float>(f.linear[at(i)] * scale_);
    spread_ += std::sqrt(squares) / f.size();
  }
  if (spread_ == 0.0) {
    spread_ = 1.0;  // nothing is coupled; any cooling will do
  }
}

std::vector<float> SparseAnneal::temperatures(const Run& run) const {
  const double hot = run.hot > 0.0 ? run.hot * scale_ : kHot * spread_;
  const double cold = run.cold > 0.0 ? run.cold * scale_ : kCold * spread_;
  std::vector<float> all;
  if (run.schedule == Schedule::Vendor) {
    for (double t = 100.0; t > 1e-3; t *= 0.99) {
      all.insert(all.end(), 10, static_cast<float>(t * scale_));
    }
    return all;
  }
  for (int i = 0; i < run.sweeps; ++i) {
    const double part =
        run.sweeps > 1 ? static_cast<double>(i) / (run.sweeps - 1) : 1.0;
    all.push_back(static_cast<float>(run.schedule == Schedule::Linear
                                         ? hot + (cold - hot) * part
                                         : hot * std::pow(cold / hot, part)));
  }
  return all;
}

void SparseAnneal::begin(std::span<const std::uint8_t> start) {
  energy_ = {};
  origin_ = f_.offset;
  std::vector<float> field = own_;
  if (!start.empty()) {
    origin_ = qubo::energy(f_, start);
    for (int i = 0; i < f_.size(); ++i) {
      for (const qubo::Coupling& c : f_.row(i)) {
        if (start[at(c.other)] != 0) {
          field[at(i)] += static_cast<float>(c.weight * scale_);
        }
      }
    }
  }
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    std::ranges::fill(sign_[i].lane, !start.empty() && start[i] != 0 ? -1.0F : 1.0F);
    std::ranges::fill(field_[i].lane, field[i]);
  }
}

bool SparseAnneal::run(const Run& run,
                       const Rng& rng,
                       const Stop& stop,
                       BestStates& best) {
  LaneRandom random(rng);
  begin(run.start);
  best.clear();
  best.update(sign_, energy_);
  const SparseState state{f_.size(),
                          rows_.data(),
                          couplings_.data(),
                          sign_.data(),
                          field_.data(),
                          &energy_,
                          &random};
  const double wanted = (run.target - origin_) * scale_;
  const auto sweep = [&](float t) {
    const bool flipped = HWY_DYNAMIC_DISPATCH(SparseSweep)(state, t);
    if (flipped) {
      best.update(sign_, energy_);
    }
    return flipped;
  };
  const auto reached = [&] {
    return double{*std::ranges::min_element(energy_.lane)} <= wanted;
  };
  for (const float t : temperatures(run)) {
    if (stop()) {
      return true;
    }
    if (sweep(t) && reached()) {
      return false;
    }
  }
  // Downhill to the end; rounding errors could make flips go in circles.
  for (int round = 0; round < f_.size() && sweep(0.0F); ++round) {
  }
  return false;
}

}  // namespace oa::solve
#endif
