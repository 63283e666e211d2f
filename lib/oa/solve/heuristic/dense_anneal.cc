#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/dense_anneal.h"
#include "oa/solve/heuristic/lane_random-inl.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <hwy/highway.h>

#ifndef OA_SOLVE_DENSE_STATE
#define OA_SOLVE_DENSE_STATE
namespace oa::solve {
namespace {

/// The state of one read; arrays consist of whole lines.
struct DenseState {
  int n;
  const qubo::Numbers* weights;  // n rows of n
  double scale;                  // factor of the weights
  float* sign;                   // 1 where x is 0, else -1: a flip adds sign * field
  float* field;                  // energy change by x_i = 1
  double energy;                 // relative to the start of the read
  LaneRandom* random;
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::float_lines;

// Flips variable i.
template <class T>
HWY_INLINE void flip(const DenseState& s, const T* weights, int i) {
  const T* HWY_RESTRICT row = weights + std::ptrdiff_t{i} * s.n;
  float* HWY_RESTRICT field = s.field;
  const double exact = s.scale * double{s.sign[i]};
  const auto delta = static_cast<float>(exact);
  const float own = field[i];  // the stored diagonal is unused
  for (int k = 0; k < s.n; ++k) {
    if constexpr (std::numeric_limits<T>::is_integer) {
      field[k] += delta * static_cast<float>(row[k]);
    } else {
      // Large and small factors may be floats only as a product.
      field[k] += static_cast<float>(exact * double{row[k]});
    }
  }
  field[i] = own;
  s.sign[i] = -s.sign[i];
}

// anneal_sweep() for one read at one temperature.
template <class T>
HWY_INLINE bool sweep_rows(DenseState& s, const T* weights, float t, Pace& pace) {
  const auto reach = hn::Set(d, random::kMaxExponential * t);
  bool flipped = false;
  std::int64_t work = 0;  // since the last call of `pace`
  for (int i = 0; i < s.n && !pace(kLanes + work); i += kLanes) {
    work = 0;
    const auto change_of = [&]() HWY_ATTR {
      return hn::Mul(hn::Load(d, s.sign + i), hn::Load(d, s.field + i));
    };
    auto change = change_of();
    if (hn::AllFalse(d, hn::Lt(change, reach))) {
      continue;
    }
    const auto cost =
        hn::Mul(hn::Set(d, t), random::exponential(*s.random, i % num::kFloatLine));
    auto accept = hn::Lt(change, cost);
    while (!hn::AllFalse(d, accept)) {
      const auto lane = static_cast<int>(hn::FindKnownFirstTrue(d, accept));
      s.energy += double{s.sign[i + lane]} * double{s.field[i + lane]};
      flip(s, weights, i + lane);
      flipped = true;
      work += s.n;
      change = change_of();
      accept = hn::AndNot(hn::FirstN(d, static_cast<std::size_t>(lane) + 1),
                          hn::Lt(change, cost));
    }
  }
  return flipped;
}

bool DenseSweep(DenseState& s, float t, Pace& pace) {
  return s.weights->visit(
      [&](auto weights) HWY_ATTR { return sweep_rows(s, weights.data(), t, pace); });
}

void DenseFlip(const DenseState& s, int i) {
  s.weights->visit([&](auto weights) HWY_ATTR { flip(s, weights.data(), i); });
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(DenseSweep);
HWY_EXPORT(DenseFlip);

// The field of padding lanes, so that these never flip; times a sign, still a float.
constexpr float kHugeSlope = 0x1p60F;
// Limits temperatures, so that padding lanes never flip.
constexpr float kMaxTemperature = 0x1p50F;

// Sets the state to `start`, or to 0 if empty.
void place(std::span<const num::FloatLine> own,
           std::span<const std::uint8_t> start,
           const DenseState& s) {
  std::fill_n(s.sign, std::ssize(own) * num::kFloatLine, 1.0F);
  std::copy_n(num::elements(own.data()), std::ssize(own) * num::kFloatLine, s.field);
  for (int i = 0; i < std::ssize(start); ++i) {
    if (start[at(i)] != 0) {
      HWY_DYNAMIC_DISPATCH(DenseFlip)(s, i);
    }
  }
}

}  // namespace

DenseAnneal::DenseAnneal(const qubo::Quadratic& f)
    : f_(f),
      scale_(scale_of(f)),
      own_(at(num::whole_float_lines(f.size()) / num::kFloatLine)),
      sign_(own_.size()),
      field_(own_.size()),
      best_(own_.size()),
      lowest_(at(f.size())) {
  for (num::FloatLine& line : own_) {
    std::ranges::fill(line.lane, kHugeSlope);
  }
  for (int i = 0; i < f.size(); ++i) {
    num::elements(own_.data())[i] = static_cast<float>(f.linear[at(i)] * scale_.energy);
  }
}

bool DenseAnneal::run(const AnnealRun& run, const Rng& rng, const Stop& stop) {
  LaneRandom random(rng);
  DenseState state{.n = f_.size(),
                   .weights = &f_.couplings().weights(),
                   .scale = scale_.energy * f_.factor(),
                   .sign = num::elements(sign_.data()),
                   .field = num::elements(field_.data()),
                   .energy = 0.0,
                   .random = &random};
  const auto begin = state_of(run.starts, run.first);
  place(own_, begin, state);
  std::ranges::copy(sign_, best_.begin());
  const double origin = begin.empty() ? f_.offset : qubo::energy(f_, begin);
  const double wanted = (run.target - origin) * scale_.energy;
  double lowest = 0.0;
  Pace pace(stop);
  const auto sweep = [&](float t) {
    const bool flipped =
        HWY_DYNAMIC_DISPATCH(DenseSweep)(state, std::min(t, kMaxTemperature), pace);
    if (state.energy < lowest) {
      lowest = state.energy;
      std::ranges::copy(sign_, best_.begin());
    }
    return flipped;
  };
  const Temperatures temperature(run.cooling, scale_.energy, scale_.spread);
  const Course course(temperature.sweeps(), stop, run.part);
  double done = 0.0;
  for (int i = 0; i < temperature.sweeps() && done < 1.0 && lowest > wanted; ++i) {
    done = pace.stopped() ? 1.0 : course(i);
    sweep(temperature(done));
  }
  // Descends to the end; a limit ends cycles of flips, which rounding can cause.
  const auto descend = [&] {
    for (int round = 0; round < f_.size() && lowest > wanted && sweep(0.0F); ++round) {
    }
  };
  descend();
  if (state.energy > lowest) {  // the lowest state was earlier
    for (int i = 0; i < f_.size(); ++i) {
      if (state.sign[i] != num::elements(best_.data())[i]) {
        HWY_DYNAMIC_DISPATCH(DenseFlip)(state, i);
      }
    }
    state.energy = lowest;
    descend();
  }
  for (int i = 0; i < f_.size(); ++i) {
    lowest_[at(i)] = num::elements(best_.data())[i] < 0.0F ? 1 : 0;
  }
  return pace.stopped();
}

}  // namespace oa::solve
#endif
