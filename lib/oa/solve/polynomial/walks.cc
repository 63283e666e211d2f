#include "oa/solve/polynomial/walks.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMinTenure = 2;
constexpr std::uint32_t kTenures = 8;

/// One sweep of the Metropolis algorithm.
void sweep(Walk& walk, double temperature, Rng& rng) {
  constexpr double kUnlikely = 24.0;
  const double most = kUnlikely * temperature;
  const auto gains = walk.state().gains();
  walk.rest(std::ssize(gains));
  for (int i = 0; i < static_cast<int>(gains.size()) && !walk.ended(); ++i) {
    const auto gain = static_cast<double>(gains[at(i)]);
    if (gain <= 0.0 || (gain < most && rng.uniform() < std::exp(-gain / temperature))) {
      walk.flip(i);
    }
  }
}

}  // namespace

void Walk::begin(std::span<const std::uint8_t> x) {
  state_.set(x);
  best_ = state_.value();
  pending_ = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    rest(state_.table().work(static_cast<int>(i)));
  }
}

void Walk::begin(Rng& rng) {
  std::vector<std::uint8_t> x(state_.x().size());
  for (std::uint8_t& bit : x) {
    bit = static_cast<std::uint8_t>(rng.below(2));
  }
  begin(x);
}

void Walk::keep() {
  best_x_.assign(state_.x().begin(), state_.x().end());
  pending_ = false;
  improved_(state_);
}

void Walk::descend() {
  const auto gains = state_.gains();
  for (bool moved = true; moved && !ended();) {
    moved = false;
    for (int i = 0; i < static_cast<int>(gains.size()); ++i) {
      if (gains[at(i)] < 0) {
        flip(i);
        moved = true;
      }
    }
  }
}

GainScale gain_scale(const FlipTable& table, Rng rng, const Stop& stop) {
  constexpr int kStates = 8;
  if (stop()) {
    return {0.0, static_cast<double>(table.step())};
  }
  FlipState state(table);
  std::vector<std::uint8_t> x(at(table.size()));
  double squares = 0.0;
  for (int k = 0; k < kStates; ++k) {
    for (std::uint8_t& bit : x) {
      bit = static_cast<std::uint8_t>(rng.below(2));
    }
    state.set(x);
    for (const std::int64_t gain : state.gains()) {
      squares += static_cast<double>(gain) * static_cast<double>(gain);
    }
  }
  return {std::sqrt(squares / (kStates * std::max(1.0, 1.0 * table.size()))),
          static_cast<double>(table.step())};
}

void anneal(Walk& walk, const Temperatures& temperatures, double part, Rng rng) {
  const int sweeps = temperatures.sweeps();
  const Course course(sweeps, walk.stop(), part);
  bool cold = false;
  for (int k = 0; k < sweeps && !cold && !walk.ended(); ++k) {
    const double done = course(k);
    cold = done >= 1.0;
    sweep(walk, temperatures(done), rng);
  }
  walk.descend();
}

void search_tabu(Walk& walk, std::int64_t steps, Rng rng) {
  const auto gains = walk.state().gains();
  const auto n = static_cast<std::uint32_t>(gains.size());
  const int least = std::min(kMinTenure + static_cast<int>(n) / 20, 20);
  std::vector<std::int64_t> free_at(n);
  for (std::int64_t step = 0; step < steps && !walk.ended(); ++step) {
    const std::int64_t wanted = walk.best() - walk.state().value();
    std::int64_t least_gain = std::numeric_limits<std::int64_t>::max();
    std::uint32_t chosen = n;
    const auto look = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        if (gains[i] < least_gain && (free_at[i] <= step || gains[i] < wanted)) {
          least_gain = gains[i];
          chosen = i;
        }
      }
    };
    // The first of equal gains, from a random place.
    const std::uint32_t first = rng.below(n);
    look(first, n);
    look(0, first);
    walk.rest(n);
    if (chosen < n) {
      walk.flip(static_cast<int>(chosen));
      free_at[chosen] = step + least + rng.below(kTenures);
    }
  }
}

void exchange_replicas(std::span<Walk> walks,
                       const Temperatures& temperatures,
                       int sweeps,
                       Rng rng) {
  const auto count = walks.size();
  std::vector<double> t;
  std::vector<std::size_t> walk_at(count);  // by temperature, hottest first
  std::iota(walk_at.begin(), walk_at.end(), std::size_t{0});
  for (std::size_t k = 0; k < count; ++k) {
    t.push_back(temperatures(static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  const auto ended = [&] {
    return std::ranges::any_of(walks, [](const Walk& w) { return w.ended(); });
  };
  for (int s = 0; s < sweeps && !ended(); ++s) {
    for (std::size_t k = 0; k < count; ++k) {
      sweep(walks[walk_at[k]], t[k], rng);
    }
    for (std::size_t k = at(s % 2); k + 1 < count; k += 2) {
      const auto rise = static_cast<double>(walks[walk_at[k + 1]].state().value() -
                                            walks[walk_at[k]].state().value());
      const double likely = rise * (1.0 / t[k + 1] - 1.0 / t[k]);
      if (likely >= 0.0 || rng.uniform() < std::exp(likely)) {
        std::swap(walk_at[k], walk_at[k + 1]);
      }
    }
  }
  for (Walk& w : walks) {
    w.descend();
  }
}

}  // namespace oa::solve
