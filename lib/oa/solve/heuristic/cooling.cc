#include "oa/solve/heuristic/cooling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

}  // namespace oa::solve
