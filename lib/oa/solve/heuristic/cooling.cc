#include "oa/solve/heuristic/cooling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

// In units of a field's variation.  Measured on attention problems of 49 variables,
// Gset's G1, G22 and G43, and Beasley's problems of 100 to 1000.
// No value was better on all grids, planar and sparser graphs of up to 7000 variables.
constexpr double kHot = 0.25;
constexpr double kCold = 0.02;
// In units of the energy's smallest rise, accepted with probability e^-10 at the end.
constexpr double kColdStep = 0.1;

// Defaults of the CIM vendor's classical annealer.  Its manual does not say whether the
// ten iterations per temperature are flips or sweeps; here they are sweeps.
constexpr int kVendorSweeps = 10;

std::vector<float> vendor_steps(double scale) {
  std::vector<float> all;
  for (double t = 100.0; t > 1e-3; t *= 0.99) {
    all.push_back(static_cast<float>(t * scale));
  }
  return all;
}

/// The assignment of temperatures to lanes.
class LaneLadder {
 public:
  /// `temperature` has one temperature for each lane, hottest first.
  LaneLadder(const Temperatures& temperature, const Rng& rng) : rng_(rng) {
    for (int k = 0; k < kReplicas; ++k) {
      line_.lane[k] = temperature(k / (kReplicas - 1.0));
    }
    std::iota(lane_.begin(), lane_.end(), 0);
  }

  [[nodiscard]] const num::FloatLine& temperature() const { return line_; }

  /// Exchanges adjacent temperatures T and T' of energies E and E' with probability
  /// exp((1/T - 1/T')(E - E')), which keeps the distribution at each temperature.
  void exchange(const num::FloatLine& energy) {
    for (std::size_t k = odd_ ? 1 : 0; k + 1 < lane_.size(); k += 2) {
      float& hot = line_.lane[lane_[k]];
      float& cold = line_.lane[lane_[k + 1]];
      const float gain = energy.lane[lane_[k + 1]] - energy.lane[lane_[k]];
      const double likely = double{gain} * (1.0 / double{cold} - 1.0 / double{hot});
      if (likely >= 0.0 || rng_.uniform() < std::exp(likely)) {
        std::swap(hot, cold);
        std::swap(lane_[k], lane_[k + 1]);
      }
    }
    odd_ = !odd_;
  }

 private:
  Rng rng_;
  num::FloatLine line_{};
  std::array<std::size_t, kReplicas> lane_{};  // sorted by temperature, hottest first
  bool odd_ = false;
};

}  // namespace

Temperatures::Temperatures(const Cooling& cooling,
                           double scale,
                           double spread,
                           double step)
    : sweeps_(cooling.sweeps),
      schedule_(cooling.schedule),
      hot_(cooling.hot > 0.0 ? cooling.hot * scale : kHot * spread),
      cold_(cooling.cold > 0.0
                ? cooling.cold * scale
                : std::max(kCold * spread, std::min(kColdStep * step, hot_))) {
  if (cooling.schedule == Schedule::Vendor) {
    steps_ = vendor_steps(scale);
    sweeps_ = kVendorSweeps * static_cast<int>(steps_.size());
  }
}

float Temperatures::operator()(double done) const {
  if (!steps_.empty()) {
    const auto sweep = std::lround(done * (sweeps_ - 1));
    return steps_[static_cast<std::size_t>(sweep / kVendorSweeps)];
  }
  const auto between = [&](double first, double last) {
    return first + (last - first) * done;
  };
  switch (schedule_) {
    case Schedule::Linear: return static_cast<float>(between(hot_, cold_));
    case Schedule::LinearBeta:
      return static_cast<float>(1.0 / between(1.0 / hot_, 1.0 / cold_));
    default: return static_cast<float>(hot_ * std::pow(cold_ / hot_, done));
  }
}

void anneal_lanes(const AnnealRun& run,
                  const Scale& scale,
                  const num::FloatLine& energy,
                  const Rng& rng,
                  const Stop& stop,
                  const std::function<bool(const num::FloatLine&)>& sweep) {
  const Temperatures temperature(run.cooling, scale.energy, scale.spread, scale.step);
  LaneLadder ladder(
      Temperatures({kReplicas, Schedule::Geometric, run.cooling.hot, run.cooling.cold},
                   scale.energy,
                   scale.spread),
      rng.fork(1));
  const Course course(temperature.sweeps(), stop, run.part);
  bool goes_on = true;
  for (int i = 0; i < temperature.sweeps() && goes_on; ++i) {
    const double done = course(i);
    num::FloatLine same;
    std::ranges::fill(same.lane, temperature(done));
    goes_on = sweep(run.tempering ? ladder.temperature() : same) && done < 1.0;
    if (run.tempering) {
      ladder.exchange(energy);
    }
  }
}

}  // namespace oa::solve
