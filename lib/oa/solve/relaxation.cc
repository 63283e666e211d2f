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

constexpr double kTolerance = 1e-9;  // how far a variable may be from its minimum
constexpr int kMostPasses = 100'000;

class Relaxation {
 public:
  Relaxation(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
      : found_(j, settings.top),
        convex_(convex_as_it_is(j, stop)),
        memory_(static_cast<std::size_t>(5 * convex_.stride / num::kLine)),
        node_(memory_.data(), convex_.stride),
        linear_(node_.g + convex_.stride) {}

  Result solve(std::span<const double> h, const Stop& stop) {
    found_.begin(h);
    start(convex_, h, linear_, node_);
    Pace pace(stop);
    relax(convex_,
          linear_,
          node_,
          {std::numeric_limits<double>::infinity(), kMostPasses, 0, kTolerance},
          pace);
    std::vector<std::uint8_t> x;
    for (const double y : std::span(node_.y, static_cast<std::size_t>(convex_.n))) {
      x.push_back(y > kRoundedUp ? 1 : 0);
    }
    found_.offer(x);
    return found_.take(pace.stopped());
  }

 private:
  Collector found_;
  Convex convex_;
  std::vector<num::Line> memory_;
  Node node_;
  double* linear_;
};

}  // namespace

Solver relaxation(const qubo::Matrix& j, const Settings& settings, const Stop& stop) {
  const auto solver = std::make_shared<Relaxation>(j, settings, stop);
  return [solver](std::span<const double> h, const Rng& /*rng*/, const Stop& until) {
    return solver->solve(h, until);
  };
}

}  // namespace oa::solve
