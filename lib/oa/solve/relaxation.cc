#include "oa/solve/box.h"
#include "oa/solve/collector.h"
#include "oa/solve/convex.h"
#include "oa/solve/method.h"
#include "oa/solve/stop.h"

#include <limits>
#include <memory>
#include <vector>

// The attention layer's own inference: the minimum over the box [0,1]^n, rounded.  The
// reference finds it by ADMM, hence the method's name; coordinate descent gets to the
// same point sooner.

namespace oa::solve {
namespace {

constexpr double kTolerance = 1e-7;  // how far a variable may be from its minimum
constexpr int kPasses = 100;         // between looks at the clock
constexpr int kMostPasses = 100'000;

class Relaxation {
 public:
  Relaxation(const qubo::Matrix& j, const Settings& settings)
      : found_(j, settings.top),
        limit_s_(settings.time_limit_s),
        convex_(convexified(j)),
        memory_(static_cast<std::size_t>(5 * convex_.stride / num::kLine)),
        node_(memory_.data(), convex_.stride),
        linear_(node_.g + convex_.stride) {}

  Result solve(std::span<const double> h, const std::stop_token& token) {
    const Stop stop(token, limit_s_);
    found_.begin(h);
    start(convex_, h, linear_, node_);
    bool stopped = false;
    for (int passes = 0; passes < kMostPasses && !stopped; passes += kPasses) {
      const Relaxed r =
          relax(convex_,
                linear_,
                node_,
                {std::numeric_limits<double>::infinity(), kPasses, 0, kTolerance});
      if (r.moves == 0) {
        break;
      }
      stopped = stop();
    }
    std::vector<std::uint8_t> x;
    for (const double y : std::span(node_.y, static_cast<std::size_t>(convex_.n))) {
      x.push_back(y > 0.5 ? 1 : 0);
    }
    found_.offer(x);
    return found_.take(stopped);
  }

 private:
  Collector found_;
  double limit_s_;
  Convex convex_;
  std::vector<num::Line> memory_;
  Node node_;
  double* linear_;
};

}  // namespace

Solver relaxation(const qubo::Matrix& j, const Settings& settings) {
  const auto solver = std::make_shared<Relaxation>(j, settings);
  return [solver](std::span<const double> h,
                  const Rng& /*rng*/,
                  const std::stop_token& stop) { return solver->solve(h, stop); };
}

}  // namespace oa::solve
