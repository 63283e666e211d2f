#include "oa/solve/sample/every_state.h"

#include "oa/base/index.h"
#include "oa/solve/polynomial/flips.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace oa::solve {

std::optional<EveryState> EveryState::make(const WholePolynomial& p,
                                           double temperature,
                                           const Stop& stop) {
  if (p.n > kMaxVariables) {
    return std::nullopt;
  }
  EveryState all;
  all.n_ = p.n;
  all.sums_.resize(std::size_t{1} << p.n);
  const FlipTable table(p);
  FlipState state(table);
  const double scale = std::ldexp(1.0, p.unit + table.shift()) / temperature;
  Pace pace(stop);
  std::uint64_t place = 0;  // bit i is variable i
  for (std::uint64_t k = 0;;) {
    all.sums_[place] = -scale * static_cast<double>(state.value());
    if (++k == all.sums_.size()) {
      break;
    }
    const int i = std::countr_zero(k);
    if (pace(2 + table.work(i))) {
      return std::nullopt;
    }
    state.flip(i);
    place ^= std::uint64_t{1} << i;
  }
  const double most = *std::ranges::max_element(all.sums_);
  double sum = 0.0;
  for (double& s : all.sums_) {
    sum += std::exp(s - most);
    s = sum;
  }
  return all;
}

std::vector<std::uint8_t> EveryState::draw(Rng& rng) const {
  const double wanted = rng.uniform() * sums_.back();
  const auto place = std::ranges::upper_bound(sums_, wanted);
  const auto k = std::min(place - sums_.begin(), std::ssize(sums_) - 1);
  std::vector<std::uint8_t> x;
  for (int i = 0; i < n_; ++i) {
    x.push_back(static_cast<std::uint8_t>(k >> i & 1));
  }
  return x;
}

Marginals EveryState::marginals() const {
  std::vector<double> ones(at(n_));
  double before = 0.0;
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const double share = (sums_[k] - before) / sums_.back();
    before = sums_[k];
    for (int i = 0; i < n_; ++i) {
      ones[at(i)] += (k >> i & 1U) != 0 ? share : 0.0;
    }
  }
  return {.ones = std::move(ones), .exact = true};
}

}  // namespace oa::solve
