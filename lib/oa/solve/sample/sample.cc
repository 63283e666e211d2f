#include "oa/solve/sample/sample.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/chain/ladder-inl.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/sample/every_state.h"
#include "oa/solve/sample/flip_chain.h"
#include "oa/solve/sample/tally.h"
#include "oa/solve/sample/tree_distribution.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace oa::solve {
namespace {

// The maximum number of table entries: 128 MiB for marginals;
// fewer for samples, which chains draw faster.
constexpr double kMaxOfMarginals = 0x1p24;
constexpr double kMaxOfSamples = 0x1p20;

constexpr std::size_t kLadders = 4;
constexpr int kFirstTemperatures = 4;
constexpr int kMaxTemperatures = 32;
constexpr double kExchanges = 0.1;  // sufficient exchange rate
constexpr double kFree = 0.35;      // acceptance rate at the hottest temperature
constexpr double kRatio = 1.25;     // ratio of temperatures tried for it
constexpr int kMaxRises = 60;
constexpr int kProbe = 8;       // sweeps at each tried temperature
constexpr int kBurnIn = 128;    // steps in the first part of the burn-in
constexpr int kParts = 4;       // of the burn-in; temperatures adapt after each
constexpr int kPilot = 512;     // steps to measure autocorrelation
constexpr int kMaxSweeps = 64;  // between samples
constexpr std::size_t kMaxDigitsOfShares = 8;

/// Returns the integrated autocorrelation time of a series: 1 for independent numbers.
/// Sums over a window of five times the result (A. Sokal, 1997).
double autocorrelation_time(std::span<const double> series) {
  const auto n = static_cast<double>(series.size());
  double mean = 0.0;
  for (const double v : series) {
    mean += v / n;
  }
  const auto covariance = [&](std::size_t lag) {
    double sum = 0.0;
    for (std::size_t k = 0; k + lag < series.size(); ++k) {
      sum += (series[k] - mean) * (series[k + lag] - mean);
    }
    return sum / n;
  };
  const double variance = covariance(0);
  double time = 1.0;
  for (std::size_t lag = 1; variance > 0.0 && lag < series.size() / 4; ++lag) {
    time += 2.0 * covariance(lag) / variance;
    if (static_cast<double>(lag) > 5.0 * time) {
      break;
    }
  }
  return std::max(1.0, time);
}

std::size_t choice_of(const NumberShares& number, const std::vector<std::uint8_t>& x) {
  std::size_t choice = 0;
  for (std::size_t k = 0; k < number.variables.size(); ++k) {
    choice |= std::size_t{x[at(number.variables[k])]} << k;
  }
  return choice;
}

/// The contribution of one ladder to the samples.
struct Part {
  std::vector<std::vector<std::uint8_t>> states;
  std::vector<Tally> samples;  // empty, or one tally
  std::vector<Tally> visited;
  std::vector<std::vector<std::int64_t>> choices;  // of each number: counts of choices
  double acceptance = 0.0;
  double exchanges = 0.0;
  int sweeps = 1;
  bool stopped = false;
};

template <class AnyChain>
class Sampler {
 public:
  using Problem = typename AnyChain::Problem;
  using AnyLadder = LadderOf<AnyChain>;

  /// Half of the chains start at `low`, unless `low` is empty.
  Sampler(const Problem& problem,
          const std::vector<NumberShares>& numbers,
          const SampleSettings& settings,
          bool keep,
          const std::vector<std::uint8_t>& low,
          const Rng& rng)
      : problem_(problem),
        numbers_(numbers),
        settings_(settings),
        keep_(keep),
        low_(low),
        rng_(rng) {}

  /// Draws `count` samples from ladder `k`.
  [[nodiscard]] Part draw(std::size_t k, int count, const Stop& stop) const {
    const Rng draws = rng_.fork(k);
    AnyChain first(problem_, draws.fork(1));
    first.begin_at_random();
    const double cold = settings_.temperature;
    Pace pace(stop);
    const double hot = hottest(first, pace);
    if (k % 2 == 1) {
      if (!low_.empty()) {
        first.begin(low_);
      }
      first.descend(pace);
    }
    Part part;
    std::optional<AnyLadder> found;
    for (int chains = kFirstTemperatures; !part.stopped; chains *= 2) {
      found.emplace(problem_, hot, cold, chains, draws.fork(at(chains)));
      found->begin(first.x());
      part.stopped = !run(*found, kBurnIn, pace);
      if (found->exchange_rate() >= kExchanges || chains >= kMaxTemperatures) {
        break;
      }
      first.begin(found->coldest().x());
    }
    AnyLadder& ladder = *found;
    for (int phase = 0; phase < kParts && !part.stopped; ++phase) {
      ladder.adapt();
      part.stopped = !run(ladder, kBurnIn << phase, pace);
    }
    ladder.adapt();
    part.sweeps = settings_.sweeps > 0 ? settings_.sweeps : measure(ladder, pace);
    part.visited.emplace_back(problem_.size(), std::int64_t{count} * part.sweeps);
    if (keep_) {
      part.samples.emplace_back(problem_.size(), count);
    }
    for (const NumberShares& number : numbers_) {
      part.choices.emplace_back(number.shares.size());
    }
    for (int n = 0; n < count && !part.stopped; ++n) {
      for (int step = 0; step < part.sweeps && !part.stopped; ++step) {
        part.stopped = !ladder.step(pace);
        visit(ladder.coldest(), part);
      }
      if (keep_ && !part.stopped) {
        part.states.push_back(ladder.coldest().x());
        part.samples.front().add(ladder.coldest().x(), ladder.coldest().energy());
      }
    }
    if (part.visited.front().states() == 0) {
      visit(ladder.coldest(), part);
    }
    part.acceptance = ladder.acceptance(ladder.size() - 1);
    part.exchanges = ladder.exchange_rate();
    return part;
  }

 private:
  void visit(const AnyChain& chain, Part& part) const {
    const std::vector<std::uint8_t>& x = chain.x();
    part.visited.front().add(x, chain.energy());
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      ++part.choices[k][choice_of(numbers_[k], x)];
    }
  }

  static bool run(AnyLadder& ladder, int steps, Pace& pace) {
    bool goes_on = true;
    for (int step = 0; step < steps && goes_on; ++step) {
      goes_on = ladder.step(pace);
    }
    return goes_on;
  }

  /// Approximates the lowest temperature at which the chain moves freely;
  /// at least the samples' temperature.
  [[nodiscard]] double hottest(AnyChain& chain, Pace& pace) const {
    const auto free_at = [&](double temperature) {
      const std::int64_t proposed = chain.proposed();
      const std::int64_t accepted = chain.accepted();
      for (int sweep = 0; sweep < kProbe && !pace(problem_.touched()); ++sweep) {
        chain.sweep(temperature);
      }
      return static_cast<double>(chain.accepted() - accepted) >=
             kFree * static_cast<double>(chain.proposed() - proposed);
    };
    const double cold = settings_.temperature;
    double hot = std::max(cold, problem_.spread());
    for (int rise = 0; rise < kMaxRises && !free_at(hot); ++rise) {
      hot *= kRatio;
    }
    while (hot > cold && free_at(hot / kRatio)) {
      hot /= kRatio;
    }
    return std::max(hot, cold);
  }

  /// Returns the number of sweeps after which energies are nearly uncorrelated.
  static int measure(AnyLadder& ladder, Pace& pace) {
    std::vector<double> energies;
    for (int step = 0; step < kPilot && ladder.step(pace); ++step) {
      energies.push_back(ladder.coldest().energy());
    }
    return std::clamp(
        static_cast<int>(std::ceil(autocorrelation_time(energies))), 1, kMaxSweeps);
  }

  const Problem& problem_;
  const std::vector<NumberShares>& numbers_;
  const SampleSettings& settings_;
  bool keep_;  // keeps the samples
  const std::vector<std::uint8_t>& low_;
  Rng rng_;
};

/// Returns those numbers of the structure whose choices are few enough to count.
std::vector<NumberShares> numbers_of(const Structure& structure) {
  std::vector<NumberShares> numbers;
  for (const Number& number : structure.numbers) {
    if (number.variables.size() <= kMaxDigitsOfShares) {
      numbers.push_back(
          {number.variables,
           std::vector<double>(std::size_t{1} << number.variables.size())});
    }
  }
  return numbers;
}

Marginals combined(const std::vector<Part>& parts,
                   std::vector<NumberShares> numbers,
                   int n) {
  Marginals all{.ones = std::vector<double>(at(n)), .numbers = std::move(numbers)};
  std::vector<Tally> tallies;
  double states = 0.0;
  for (const Part& part : parts) {
    tallies.insert(tallies.end(), part.visited.begin(), part.visited.end());
    states += static_cast<double>(part.visited.front().states());
    all.stopped = all.stopped || part.stopped;
  }
  for (const Part& part : parts) {
    const std::vector<std::int64_t> ones = part.visited.front().ones();
    for (std::size_t i = 0; i < ones.size(); ++i) {
      all.ones[i] += static_cast<double>(ones[i]) / states;
    }
    for (std::size_t k = 0; k < all.numbers.size(); ++k) {
      for (std::size_t c = 0; c < part.choices[k].size(); ++c) {
        all.numbers[k].shares[c] += static_cast<double>(part.choices[k][c]) / states;
      }
    }
  }
  all.effective = effective_size(tallies);
  return all;
}

/// Half of the chains start at `low`, unless `low` is empty.
template <class AnyChain>
Samples run_chains(const typename AnyChain::Problem& problem,
                   const std::vector<NumberShares>& numbers,
                   const std::vector<std::uint8_t>& low,
                   const SampleSettings& settings,
                   bool keep,
                   const Rng& rng,
                   const Stop& stop) {
  Samples all;
  if (stop()) {  // before any chain: 0 is the only state
    all.stopped = true;
    all.marginals = {.ones = std::vector<double>(at(problem.size())), .stopped = true};
    return all;
  }
  const Sampler<AnyChain> sampler(problem, numbers, settings, keep, low, rng.fork(1));
  std::vector<Part> parts(std::min(kLadders, at(settings.samples)));
  parallel_for(std::ssize(parts), settings.threads, [&](std::int64_t k, int) {
    const auto total = static_cast<std::int64_t>(parts.size());
    const std::int64_t begin = settings.samples * k / total;
    const std::int64_t end = settings.samples * (k + 1) / total;
    if (k == 0 || !stop()) {
      parts[at(k)] = sampler.draw(at(k), static_cast<int>(end - begin), stop);
    }
  });
  all.stopped =
      std::erase_if(parts, [](const Part& part) { return part.visited.empty(); }) > 0;
  std::vector<Tally> tallies;
  for (Part& part : parts) {
    std::ranges::move(part.states, std::back_inserter(all.states));
    std::ranges::move(part.samples, std::back_inserter(tallies));
    all.acceptance = std::min(all.acceptance, part.acceptance);
    all.exchanges = std::min(all.exchanges, part.exchanges);
    all.sweeps = std::max(all.sweeps, part.sweeps);
    all.stopped = all.stopped || part.stopped;
  }
  all.effective = effective_size(tallies);
  all.marginals = combined(parts, numbers, problem.size());
  return all;
}

/// Draws independent states from a distribution, or, if they are not kept, none.
template <class Distribution>
Samples drawn(const Distribution& distribution,
              const SampleSettings& settings,
              bool keep,
              const Rng& rng,
              const Stop& stop) {
  Samples all;
  all.exact = true;
  Rng draws = rng.fork(0);
  for (int k = 0; keep && k < settings.samples && !stop(); ++k) {
    all.states.push_back(distribution.draw(draws));
  }
  all.stopped = keep && std::ssize(all.states) < settings.samples;
  all.effective = static_cast<double>(all.states.size());
  all.marginals = distribution.marginals();
  return all;
}

Samples sampled(const qubo::Quadratic& f,
                const SampleSettings& settings,
                bool keep,
                const Rng& rng,
                const Stop& stop) {
  const Structure structure = find_structure(f, stop);
  std::vector<NumberShares> numbers = numbers_of(structure);
  const double most = keep ? kMaxOfSamples : kMaxOfMarginals;
  if (const auto exact =
          settings.trees
              ? TreeDistribution::make(f, numbers, settings.temperature, most, stop)
              : std::nullopt) {
    return drawn(*exact, settings, keep, rng, stop);
  }
  const ChainProblem problem(f, structure, ChainProblem::Singles::HeatBath, stop);
  const auto start = rounded_start(f, structure, stop);
  const std::vector<std::uint8_t> low = start ? start->x : std::vector<std::uint8_t>{};
  return run_chains<Chain>(problem, numbers, low, settings, keep, rng, stop);
}

Samples sampled(const WholePolynomial& p,
                const SampleSettings& settings,
                bool keep,
                const Rng& rng,
                const Stop& stop) {
  if (const auto exact = settings.trees
                             ? EveryState::make(p, settings.temperature, stop)
                             : std::nullopt) {
    return drawn(*exact, settings, keep, rng, stop);
  }
  return run_chains<FlipChain>(FlipProblem(p, stop), {}, {}, settings, keep, rng, stop);
}

}  // namespace

Samples draw_samples(const qubo::Quadratic& f,
                     const SampleSettings& settings,
                     const Rng& rng,
                     const Stop& stop) {
  return sampled(f, settings, true, rng, stop);
}

Samples draw_samples(const WholePolynomial& p,
                     const SampleSettings& settings,
                     const Rng& rng,
                     const Stop& stop) {
  return sampled(p, settings, true, rng, stop);
}

Marginals marginals_of(const qubo::Quadratic& f,
                       const SampleSettings& settings,
                       const Rng& rng,
                       const Stop& stop) {
  return sampled(f, settings, false, rng, stop).marginals;
}

Marginals marginals_of(const WholePolynomial& p,
                       const SampleSettings& settings,
                       const Rng& rng,
                       const Stop& stop) {
  return sampled(p, settings, false, rng, stop).marginals;
}

}  // namespace oa::solve
