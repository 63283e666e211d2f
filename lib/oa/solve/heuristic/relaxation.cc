#include "oa/solve/arithmetic/lanczos.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/exact/box/convex.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/method/collector.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

// The inference of the attention layer: rounds the minimum over the box [0,1]^n.
// The method is named after the paper's solver, ADMM;
// coordinate descent finds the same point faster.

namespace oa::solve {
namespace {

constexpr double kTolerance =
    1e-9;  // tolerance: distance of a variable from its minimum
constexpr int kMaxPasses = 100'000;

class Relaxation final : public Solver {
 public:
  Relaxation(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
      : found_(j, settings.top),
        convex_(convex_as_it_is(j, stop)),
        memory_(static_cast<std::size_t>(5 * convex_.stride / num::kLine)),
        node_(memory_.data(), convex_.stride),
        linear_(node_.g + convex_.stride) {}

  Result solve(std::span<const double> h,
               const Rng& /*rng*/,
               const Stop& stop) override {
    found_.begin(h);
    start(convex_, h, linear_, node_);
    Pace pace(stop);
    relax(convex_,
          linear_,
          node_,
          {.threshold = std::numeric_limits<double>::infinity(),
           .passes = kMaxPasses,
           .tolerance = kTolerance},
          pace);
    std::vector<std::uint8_t> x;
    for (const double y : std::span(node_.y, static_cast<std::size_t>(convex_.n))) {
      x.push_back(y > kRoundedUp ? 1 : 0);
    }
    found_.offer(x);
    return found_.take_result(pace.stopped());
  }

 private:
  Collector found_;
  Convex convex_;
  std::vector<num::Line> memory_;
  Node node_;
  double* linear_;
};

/// The relaxation of a single function, which may be very large:
/// couplings are not copied.  A constant diagonal d makes the function nearly convex.
class BoxDescent {
 public:
  BoxDescent(const qubo::Quadratic& f, const Settings& settings)
      : f_(f),
        j_(f),
        found_(f, settings.top),
        scratch_(j_.scratch() / num::kFloatLine),
        own_(static_cast<std::size_t>(j_.stride())),
        y_(static_cast<std::size_t>(j_.size())),
        g_(y_.size()) {}

  Result solve(const Stop& stop) {
    found_.begin(f_.linear);
    j_.fields(f_.linear, own_.data());
    const double d = curvature(stop);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] = 0.0;
      g_[i] = double{own_[i]} - 0.5 * d;
    }
    Pace pace(stop);
    for (int pass = 0; pass < kMaxPasses && !pace.stopped(); ++pass) {
      if (farthest_of_pass(d, pace) <= kTolerance) {
        break;
      }
    }
    std::vector<std::uint8_t> x;
    for (const double y : y_) {
      x.push_back(y > kRoundedUp ? 1 : 0);
    }
    found_.offer(x);
    return found_.take_result(pace.stopped());
  }

 private:
  [[nodiscard]] CouplingRow row(int i) {
    return j_.row(i, num::elements(scratch_.data()));
  }

  // Estimates d for which J + d is semidefinite.
  double curvature(const Stop& stop) {
    const Stop part = stop.share(kShare);
    Pace pace(part);
    const double lowest = lowest_eigenvalue(
        j_.size(),
        kSteps,
        [&](std::span<const double> v, std::span<double> out) {
          for (int i = 0; i < j_.size(); ++i) {
            double sum = 0.0;
            // If stopped, the result is not used.
            if (!pace(j_.size())) {
              const CouplingRow one = row(i);
              for (int k = 0; k < one.count; ++k) {
                const int other = one.others != nullptr ? one.others[k] : k;
                sum += double{one.weights[k]} * v[static_cast<std::size_t>(other)];
              }
            }
            out[static_cast<std::size_t>(i)] = sum;
          }
        },
        part);
    // The lowest eigenvalue of a random matrix is about -2 times the norm of a row.
    const double least = pace.stopped() ? -2.0 * j_.spread() : lowest;
    return std::max(1.02 * -least, 1e-6 * j_.spread());
  }

  // Moves every y_i to its minimum, in order; returns the longest move.
  double farthest_of_pass(double d, Pace& pace) {
    double farthest = 0.0;
    for (int i = 0; i < j_.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double to = std::clamp(y_[at] - g_[at] / d, 0.0, 1.0);
      const double step = to - y_[at];
      if (std::abs(step) <= kTolerance) {
        continue;
      }
      if (pace(j_.size())) {
        return farthest;
      }
      y_[at] = to;
      g_[at] += step * d;
      const CouplingRow one = row(i);
      for (int k = 0; k < one.count; ++k) {
        const int other = one.others != nullptr ? one.others[k] : k;
        g_[static_cast<std::size_t>(other)] += step * double{one.weights[k]};
      }
      farthest = std::max(farthest, std::abs(step));
    }
    return farthest;
  }

  static constexpr double kShare = 0.3;  // of the time, to estimate d
  static constexpr int kSteps = 60;

  const qubo::Quadratic& f_;
  Couplings j_;
  Collector found_;
  std::vector<num::FloatLine> scratch_;
  std::vector<float> own_;
  std::vector<double> y_;
  std::vector<double> g_;  // Jy + dy + h - d/2
};

}  // namespace

std::unique_ptr<Solver> make_relaxation(const Batch& batch,
                                        const Settings& settings,
                                        const Stop& stop) {
  return std::make_unique<Relaxation>(*batch.matrix, settings, stop);
}

Result solve_relaxation(const PartTask& task, const Rng& /*rng*/, const Stop& stop) {
  return BoxDescent(task.f, task.settings).solve(stop);
}

}  // namespace oa::solve
