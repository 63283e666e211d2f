#include "oa/base/index.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/method/collector.h"

#include <algorithm>
#include <memory>
#include <vector>

// From x = 0, repeatedly flips the variable that lowers the energy most.

namespace oa::solve {
namespace {

class Greedy final : public Solver {
 public:
  Greedy(const qubo::Matrix& j, const Settings& settings)
      : j_(j),
        found_(j, settings.top),
        change_(static_cast<std::size_t>(j.size())),
        sign_(change_.size()) {}

  Result solve(std::span<const double> h,
               const Rng& /*rng*/,
               const Stop& stop) override {
    found_.begin(h);
    std::ranges::fill(sign_, 1.0);
    for (int i = 0; i < j_.size(); ++i) {
      change_[at(i)] = h[at(i)] + 0.5 * j_(i, i);
    }
    // Each flip lowers the energy, except for rounding; the limit ends cycles of flips.
    Pace pace(stop);
    for (int flips = 0; flips < 4 * j_.size() && !pace(2 * j_.size()); ++flips) {
      const auto best = std::ranges::min_element(change_);
      if (*best >= 0.0) {
        break;
      }
      flip(static_cast<int>(best - change_.begin()));
    }
    std::vector<std::uint8_t> x(sign_.size());
    std::ranges::transform(sign_, x.begin(), [](double s) { return s < 0.0 ? 1 : 0; });
    found_.offer(x);
    return found_.take_result(pace.stopped());
  }

 private:
  // change_k = E(x with x_k flipped) - E(x).
  // Flipping i adds J_ik if x_i = x_k, else -J_ik.
  void flip(int i) {
    const double* row = j_.row(i);
    const double own = -change_[at(i)];
    const double sign = sign_[at(i)];
    for (int k = 0; k < j_.size(); ++k) {
      change_[at(k)] += sign * sign_[at(k)] * row[k];
    }
    change_[at(i)] = own;
    sign_[at(i)] = -sign;
  }

  const qubo::Matrix& j_;
  Collector found_;
  std::vector<double> change_;
  std::vector<double> sign_;  // 1 where x is 0, else -1
};

}  // namespace

std::unique_ptr<Solver> make_greedy(const Batch& batch,
                                    const Settings& settings,
                                    const Stop& /*stop*/) {
  return std::make_unique<Greedy>(*batch.matrix, settings);
}

Result solve_greedy(const PartTask& task, const Rng& /*rng*/, const Stop& stop) {
  Result result;
  result.best = {task.known};
  result.status = stop() ? qubo::Status::Stopped : qubo::Status::BestFound;
  return result;
}

}  // namespace oa::solve
