#include "oa/solve/sample/sample.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/chain/ladder.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/sample/tree_distribution.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

namespace oa::solve {
namespace {

// Numbers in tables: 128 MiB for marginals; fewer for samples, which chains draw
// faster.
constexpr double kMostOfMarginals = 0x1p24;
constexpr double kMostOfSamples = 0x1p20;

constexpr std::size_t kLadders = 4;
constexpr int kMostTemperatures = 16;
constexpr double kRatio = 2.0;   // between neighbouring temperatures, about
constexpr int kBurnIn = 128;     // steps of each part of the first phase
constexpr int kParts = 5;        // of the first phase; temperatures adapt after each
constexpr int kPilot = 512;      // steps to measure autocorrelation
constexpr int kMostSweeps = 64;  // between samples
constexpr int kBatches = 16;     // of a ladder, for the effective sample size

/// The integrated autocorrelation time of a series: 1 for independent numbers.  Sums up
/// to a window of five times the result (A. Sokal, 1997).
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

/// What a ladder adds to the samples.
struct Part {
  std::vector<std::vector<std::uint8_t>> states;
  std::vector<double> energies;
  double acceptance = 0.0;
  double exchanges = 0.0;
  int sweeps = 1;
  bool stopped = false;
};

class Sampler {
 public:
  /// Half of the chains begin at `low`, if it is not empty.
  Sampler(const ChainProblem& problem,
          const SampleSettings& settings,
          const std::vector<std::uint8_t>& low,
          const Rng& rng)
      : problem_(problem),
        settings_(settings),
        low_(low),
        rng_(rng) {}

  /// `count` samples of ladder number `k`.
  [[nodiscard]] Part draw(std::size_t k, int count, const Stop& stop) const {
    const double cold = settings_.temperature;
    const double hot = std::max(cold, problem_.spread());
    const double ratios = std::log(hot / cold) / std::log(kRatio);
    const int temperatures =
        std::clamp(2 + static_cast<int>(ratios), 2, kMostTemperatures);
    const Rng draws = rng_.fork(k);
    Ladder ladder(problem_, hot, cold, temperatures, draws.fork(0));
    ladder.begin_at_random();
    if (k % 2 == 1) {
      Chain low(problem_, draws.fork(1));
      if (low_.empty()) {
        low.begin_at_random();
      } else {
        low.begin(low_);
      }
      low.descend();
      ladder.begin(low.x());
    }
    Pace pace(stop);
    Part part;
    for (int phase = 0; phase < kParts && !part.stopped; ++phase) {
      for (int step = 0; step < kBurnIn << phase / 2 && !part.stopped; ++step) {
        part.stopped = !ladder.step(pace);
      }
      ladder.adapt();
    }
    part.sweeps = settings_.sweeps > 0 ? settings_.sweeps : measure(ladder, pace);
    for (int n = 0; n < count && !part.stopped; ++n) {
      for (int step = 0; step < part.sweeps && !part.stopped; ++step) {
        part.stopped = !ladder.step(pace);
      }
      if (!part.stopped) {
        part.states.push_back(ladder.coldest().x());
        part.energies.push_back(ladder.coldest().energy());
      }
    }
    part.acceptance = ladder.acceptance(ladder.size() - 1);
    part.exchanges = ladder.exchange_rate();
    return part;
  }

 private:
  /// Sweeps after which the energy has nearly forgotten its value.
  static int measure(Ladder& ladder, Pace& pace) {
    std::vector<double> energies;
    for (int step = 0; step < kPilot && ladder.step(pace); ++step) {
      energies.push_back(ladder.coldest().energy());
    }
    return std::clamp(
        static_cast<int>(std::ceil(autocorrelation_time(energies))), 1, kMostSweeps);
  }

  const ChainProblem& problem_;
  const SampleSettings& settings_;
  const std::vector<std::uint8_t>& low_;
  Rng rng_;
};

/// The effective size by means of batches: the variance of a number over that of its
/// mean.  `value(state)` of consecutive samples.
class EffectiveSize {
 public:
  explicit EffectiveSize(const std::vector<Part>& parts) : parts_(parts) {
    for (const Part& part : parts) {
      count_ += part.states.size();
    }
  }

  /// `value(part, k)` of sample k.
  template <class Value>
  [[nodiscard]] double of(const Value& value) const {
    double sum = 0.0;
    double squares = 0.0;
    std::vector<double> means;
    double batch_size = 0.0;
    for (const Part& part : parts_) {
      const std::size_t size = part.states.size();
      const std::size_t batches = std::min<std::size_t>(kBatches, size);
      for (std::size_t b = 0; b < batches; ++b) {
        double mean = 0.0;
        const std::size_t begin = b * size / batches;
        const std::size_t end = (b + 1) * size / batches;
        for (std::size_t k = begin; k < end; ++k) {
          const double v = value(part, k);
          mean += v;
          sum += v;
          squares += v * v;
        }
        means.push_back(mean / static_cast<double>(end - begin));
        batch_size = static_cast<double>(end - begin);
      }
    }
    const auto n = static_cast<double>(count_);
    if (means.size() < 2 || batch_size < 2.0) {
      return n;
    }
    const double mean = sum / n;
    const double variance = squares / n - mean * mean;
    double of_means = 0.0;
    for (const double m : means) {
      of_means += (m - mean) * (m - mean) / static_cast<double>(means.size() - 1);
    }
    return variance <= 0.0 || of_means <= 0.0
               ? n
               : std::min(n, variance / of_means * static_cast<double>(means.size()));
  }

 private:
  const std::vector<Part>& parts_;
  std::size_t count_ = 0;
};

double effective_size(const std::vector<Part>& parts, int variables) {
  const EffectiveSize size(parts);
  double least = size.of([](const Part& p, std::size_t k) { return p.energies[k]; });
  for (int i = 0; i < variables; ++i) {
    least = std::min(least, size.of([&](const Part& p, std::size_t k) {
      return static_cast<double>(p.states[k][at(i)]);
    }));
  }
  return least;
}

}  // namespace

Samples draw_samples(const qubo::Quadratic& f,
                     const SampleSettings& settings,
                     const Rng& rng,
                     const Stop& stop) {
  Samples all;
  if (const auto exact =
          TreeDistribution::make(f, settings.temperature, kMostOfSamples, stop)) {
    all.exact = true;
    Rng draws = rng.fork(0);
    for (int k = 0; k < settings.samples && !stop(); ++k) {
      all.states.push_back(exact->draw(draws));
    }
    all.stopped = std::ssize(all.states) < settings.samples;
    all.effective = static_cast<double>(all.states.size());
    return all;
  }
  const Structure structure = find_structure(f);
  const ChainProblem problem(f, structure);
  const auto start = rounded_start(f, structure, stop);
  const std::vector<std::uint8_t> low = start ? start->x : std::vector<std::uint8_t>{};
  const Sampler sampler(problem, settings, low, rng.fork(1));
  std::vector<Part> parts(std::min(kLadders, at(settings.samples)));
  parallel_for(std::ssize(parts), settings.threads, [&](std::int64_t k, int) {
    const auto total = static_cast<std::int64_t>(parts.size());
    const std::int64_t begin = settings.samples * k / total;
    const std::int64_t end = settings.samples * (k + 1) / total;
    parts[at(k)] = sampler.draw(at(k), static_cast<int>(end - begin), stop);
  });
  all.effective = effective_size(parts, f.size());
  for (Part& part : parts) {
    std::ranges::move(part.states, std::back_inserter(all.states));
    all.acceptance = std::min(all.acceptance, part.acceptance);
    all.exchanges = std::min(all.exchanges, part.exchanges);
    all.sweeps = std::max(all.sweeps, part.sweeps);
    all.stopped = all.stopped || part.stopped;
  }
  return all;
}

std::vector<double> means_of(const std::vector<std::vector<std::uint8_t>>& states) {
  std::vector<double> means(states.empty() ? 0 : states.front().size());
  for (const std::vector<std::uint8_t>& x : states) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      means[i] += x[i] != 0 ? 1.0 / static_cast<double>(states.size()) : 0.0;
    }
  }
  return means;
}

Marginals marginals_of(const qubo::Quadratic& f,
                       const SampleSettings& settings,
                       const Rng& rng,
                       const Stop& stop) {
  if (const auto exact =
          TreeDistribution::make(f, settings.temperature, kMostOfMarginals, stop)) {
    return {exact->marginals(), true, 0.0};
  }
  const Samples samples = draw_samples(f, settings, rng, stop);
  return {means_of(samples.states), false, samples.effective};
}

}  // namespace oa::solve
