#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

struct SampleSettings {
  int samples = 0;
  double temperature = 1.0;
  int sweeps = 0;  ///< between samples of a chain; 0: by measured autocorrelation
  int threads = 1;
};

/// States drawn with probabilities proportional to exp(-f / temperature).
struct Samples {
  std::vector<std::vector<std::uint8_t>> states;
  bool exact = false;    ///< drawn independently from the distribution itself
  bool stopped = false;  ///< fewer states than asked for
  /// The number of independent samples that would estimate the mean energy, or the mean
  /// of the worst variable, as well as these do.
  double effective = 0.0;
  double acceptance = 1.0;  ///< of changes at the temperature
  double exchanges = 1.0;   ///< the lowest rate between neighbouring temperatures
  int sweeps = 0;           ///< between samples of a chain
};

/// Draws from a tree decomposition if its tables take at most 2^20 numbers; else by
/// chains at falling temperatures, with the moves of the problem's structure.  Half of
/// the chains begin at random, half at a low state; the first part of each is left out.
/// The same for any number of threads, unless stopped.
[[nodiscard]] Samples draw_samples(const qubo::Quadratic& f,
                                   const SampleSettings& settings,
                                   const Rng& rng,
                                   const Stop& stop);

/// The probability of 1 for each variable.
struct Marginals {
  std::vector<double> ones;
  bool exact = false;
  double effective = 0.0;  ///< of Samples, unless exact
};

/// By a tree decomposition if its tables take at most 2^24 numbers, else by samples.
[[nodiscard]] Marginals marginals_of(const qubo::Quadratic& f,
                                     const SampleSettings& settings,
                                     const Rng& rng,
                                     const Stop& stop);

/// The mean of each variable over states.
[[nodiscard]] std::vector<double> means_of(
    const std::vector<std::vector<std::uint8_t>>& states);

}  // namespace oa::solve
