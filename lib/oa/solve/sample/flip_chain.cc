#include "oa/solve/sample/flip_chain.h"

#include "oa/base/index.h"
#include "oa/solve/polynomial/walks.h"

#include <cmath>

namespace oa::solve {

FlipProblem::FlipProblem(const WholePolynomial& p, const Stop& stop)
    : table_(p),
      unit_(std::ldexp(1.0, p.unit + table_.shift())),
      spread_(unit_ * gain_scale(table_, Rng(0), stop).spread) {
  for (int i = 0; i < table_.size(); ++i) {
    touched_ += 2 + table_.work(i);
  }
}

FlipChain::FlipChain(const FlipProblem& problem, const Rng& rng)
    : problem_(&problem),
      rng_(rng),
      state_(problem.table()) {}

void FlipChain::begin_at_random() {
  std::vector<std::uint8_t> x(at(problem_->size()));
  for (std::uint8_t& bit : x) {
    bit = static_cast<std::uint8_t>(rng_.below(2));
  }
  state_.set(x);
}

void FlipChain::sweep(double temperature) {
  const double scale = problem_->unit() / temperature;
  for (int i = 0; i < problem_->size(); ++i) {
    const double rise = scale * static_cast<double>(state_.gains()[at(i)]);
    if (rng_.uniform() * (1.0 + std::exp(rise)) < 1.0) {
      state_.flip(i);
      ++accepted_;
    }
  }
  proposed_ += problem_->size();
}

void FlipChain::descend(Pace& pace) {
  for (bool moved = true; moved && !pace(problem_->touched());) {
    moved = false;
    for (int i = 0; i < problem_->size(); ++i) {
      if (state_.gains()[at(i)] < 0) {
        state_.flip(i);
        moved = true;
      }
    }
  }
}

}  // namespace oa::solve
