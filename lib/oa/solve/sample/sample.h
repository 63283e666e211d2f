#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

struct SampleSettings {
  int samples = 0;
  double temperature = 1.0;
  int sweeps = 0;  ///< between a chain's samples; 0: from autocorrelation
  int threads = 1;
  bool trees = true;  ///< false: chains even if a tree or a list is possible
};

/// The distribution of a number: a probability for each choice of its digits.
struct NumberShares {
  std::vector<int> variables;  ///< the digits
  std::vector<double> shares;  ///< of choice c, whose bit k is digit k
};

/// The probability of 1 for each variable, and of each choice of a number's digits.
///
/// For a receiver, let f be |y - Hx|^2 over binary digits,
/// and the temperature be the variance of an antenna's complex noise.
/// If a bit is a digit, its probability is in `ones`.  If a bit depends on several
/// digits, as in Gray codes, sum the `shares` of the choices in which the bit is 1.
struct Marginals {
  std::vector<double> ones;
  std::vector<NumberShares> numbers = {};
  bool exact = false;
  bool stopped = false;    ///< with fewer samples than requested
  double effective = 0.0;  ///< as in Samples; unset if exact
};

/// States drawn with probability proportional to exp(-f / temperature).
struct Samples {
  std::vector<std::vector<std::uint8_t>> states;
  bool exact = false;    ///< independent draws from the distribution
  bool stopped = false;  ///< fewer states than requested
  /// The number of independent samples with the same error of the mean energy,
  /// or of the mean of the worst variable.
  double effective = 0.0;
  double acceptance = 1.0;  ///< rate at the temperature
  double exchanges = 1.0;   ///< lowest rate of adjacent temperatures
  int sweeps = 0;           ///< between samples of a chain
  /// Marginals over all states that chains visited, also between samples.
  Marginals marginals;
};

/// Draws from a tree decomposition if its tables have at most 2^20 numbers,
/// otherwise by chains at decreasing temperatures with structured moves.
/// Half of the chains start at random, half at a low state; skips the burn-in.
/// Unless stopped, the result does not depend on the number of threads.
[[nodiscard]] Samples draw_samples(const qubo::Quadratic& f,
                                   const SampleSettings& settings,
                                   const Rng& rng,
                                   const Stop& stop);

/// Draws states of a polynomial: up to 22 variables from the list of all states, else
/// by chains that draw single variables.
[[nodiscard]] Samples draw_samples(const WholePolynomial& p,
                                   const SampleSettings& settings,
                                   const Rng& rng,
                                   const Stop& stop);
[[nodiscard]] Marginals marginals_of(const WholePolynomial& p,
                                     const SampleSettings& settings,
                                     const Rng& rng,
                                     const Stop& stop);

/// Returns marginals by a tree decomposition if its tables have at most 2^24 numbers,
/// else by chains as long as for samples, without keeping states.
[[nodiscard]] Marginals marginals_of(const qubo::Quadratic& f,
                                     const SampleSettings& settings,
                                     const Rng& rng,
                                     const Stop& stop);

}  // namespace oa::solve
