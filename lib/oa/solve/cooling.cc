#include "oa/solve/cooling.h"

#include <cmath>

namespace oa::solve {
namespace {

// In units of how far a variable's field varies, measured on attention problems of 49
// variables, Gset's G1, G22 and G43 and Beasley's problems of 100 to 1000; on grids,
// planar graphs and sparser ones of up to 7000 no others were better everywhere.
constexpr double kHot = 0.25;
constexpr double kCold = 0.02;

// The defaults of the CIM vendor's classical annealer.  Whether its ten iterations per
// temperature are flips or sweeps is not documented; these are sweeps.
std::vector<float> vendor_temperatures(double scale) {
  std::vector<float> all;
  for (double t = 100.0; t > 1e-3; t *= 0.99) {
    all.insert(all.end(), 10, static_cast<float>(t * scale));
  }
  return all;
}

}  // namespace

std::vector<float> temperatures(const Cooling& cooling, double scale, double spread) {
  if (cooling.schedule == Schedule::Vendor) {
    return vendor_temperatures(scale);
  }
  const double hot = cooling.hot > 0.0 ? cooling.hot * scale : kHot * spread;
  const double cold = cooling.cold > 0.0 ? cooling.cold * scale : kCold * spread;
  std::vector<float> all;
  for (int i = 0; i < cooling.sweeps; ++i) {
    const double part =
        cooling.sweeps > 1 ? static_cast<double>(i) / (cooling.sweeps - 1) : 1.0;
    all.push_back(static_cast<float>(cooling.schedule == Schedule::Linear
                                         ? hot + (cold - hot) * part
                                         : hot * std::pow(cold / hot, part)));
  }
  return all;
}

}  // namespace oa::solve
