#pragma once

// Definitions of LadderOf, for files that instantiate it.
#include "oa/base/index.h"
#include "oa/solve/chain/ladder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {

template <class AnyChain>
LadderOf<AnyChain>::LadderOf(const typename AnyChain::Problem& problem,
                             double hot,
                             double cold,
                             int count,
                             const Rng& rng)
    : rates_(at(count)),
      tries_(at(count)),
      proposed_(at(count)),
      accepted_(at(count)),
      work_(problem.touched()),
      rng_(rng.fork(0)) {
  chains_.reserve(at(count));
  for (int k = 0; k < count; ++k) {
    const double share = count > 1 ? static_cast<double>(k) / (count - 1) : 1.0;
    temperatures_.push_back(hot * std::pow(cold / hot, share));
    chains_.emplace_back(problem, rng.fork(static_cast<std::uint64_t>(k) + 1));
    at_.push_back(at(k));
  }
}

template <class AnyChain>
void LadderOf<AnyChain>::begin(std::span<const std::uint8_t> x) {
  chains_.front().begin(x);
  for (std::size_t k = 1; k < chains_.size(); ++k) {
    chains_[k].begin(chains_.front());
  }
}

template <class AnyChain>
void LadderOf<AnyChain>::begin_at_random() {
  for (AnyChain& chain : chains_) {
    chain.begin_at_random();
  }
}

template <class AnyChain>
bool LadderOf<AnyChain>::step(Pace& pace) {
  for (int k = 0; k < size(); ++k) {
    if (pace(work_)) {
      return false;
    }
    AnyChain& chain = chains_[at_[at(k)]];
    const std::int64_t proposed = chain.proposed();
    const std::int64_t accepted = chain.accepted();
    chain.sweep(temperatures_[at(k)]);
    proposed_[at(k)] += chain.proposed() - proposed;
    accepted_[at(k)] += chain.accepted() - accepted;
  }
  for (std::size_t k = at(steps_++ % 2); k + 1 < at_.size(); k += 2) {
    const double colder = 1.0 / temperatures_[k + 1] - 1.0 / temperatures_[k];
    const double gain = chains_[at_[k + 1]].energy() - chains_[at_[k]].energy();
    const double rate = std::exp(std::min(0.0, colder * gain));
    rates_[k] += rate;
    ++tries_[k];
    if (rng_.uniform() < rate) {
      std::swap(at_[k], at_[k + 1]);
    }
  }
  return true;
}

template <class AnyChain>
double LadderOf<AnyChain>::exchange_rate() const {
  double least = 1.0;
  for (std::size_t k = 0; k + 1 < at_.size(); ++k) {
    if (tries_[k] > 0) {
      least = std::min(least, rates_[k] / static_cast<double>(tries_[k]));
    }
  }
  return least;
}

template <class AnyChain>
double LadderOf<AnyChain>::acceptance(int k) const {
  return static_cast<double>(accepted_[at(k)]) /
         static_cast<double>(std::max<std::int64_t>(1, proposed_[at(k)]));
}

template <class AnyChain>
void LadderOf<AnyChain>::stretch(double hot, double cold) {
  const double from = std::log(temperatures_.front());
  const double to = std::log(temperatures_.back());
  for (double& t : temperatures_) {
    const double share = from == to ? 1.0 : (std::log(t) - from) / (to - from);
    t = hot * std::pow(cold / hot, share);
  }
}

template <class AnyChain>
void LadderOf<AnyChain>::adapt() {
  std::ranges::fill(proposed_, 0);
  std::ranges::fill(accepted_, 0);
  const std::size_t count = temperatures_.size();
  // Cumulative rejection rates; a rate of at least kMin keeps temperatures distinct.
  constexpr double kMin = 0.02;
  std::vector<double> barrier{0.0};
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const double rate =
        tries_[k] > 0 ? rates_[k] / static_cast<double>(tries_[k]) : 1.0;
    barrier.push_back(barrier.back() + kMin + (1.0 - rate));
    rates_[k] = 0.0;
    tries_[k] = 0;
  }
  const std::vector<double> before = temperatures_;
  std::size_t below = 0;
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const double wanted =
        barrier.back() * static_cast<double>(k) / static_cast<double>(count - 1);
    while (barrier[below + 1] < wanted) {
      ++below;
    }
    const double share =
        (wanted - barrier[below]) / (barrier[below + 1] - barrier[below]);
    temperatures_[k] =
        before[below] * std::pow(before[below + 1] / before[below], share);
  }
}

}  // namespace oa::solve
