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
  int sweeps = 0;  ///< between samples of a chain; 0: by measured autocorrelation
  int threads = 1;
  bool trees = true;  ///< false: by chains even if a tree or a list is small enough
};

/// The distribution of a number: of each choice of its digits.
struct NumberShares {
  std::vector<int> variables;  ///< the digits
  std::vector<double> shares;  ///< of the choice c, whose bit k is digit k
};

/// The probability of 1 for each variable, and of each choice of the digits of numbers.
///
/// For the bits that a receiver decides: let f be |y - Hx|^2 as a function of binary
/// digits, and the temperature the variance of the complex noise of an antenna.  If a
/// bit is a digit, its probability is in `ones`.  If it is a function of several
/// digits, as in Gray codes of levels, its probability is the sum of `shares` of the
/// choices in which it is 1.
struct Marginals {
  std::vector<double> ones;
  std::vector<NumberShares> numbers;
  bool exact = false;
  bool stopped = false;    ///< by fewer samples than asked for
  double effective = 0.0;  ///< as in Samples; unless exact
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
  /// The marginals over all states that the chains visited, between samples, too.
  Marginals marginals;
};

/// Draws from a tree decomposition if its tables take at most 2^20 numbers; else by
/// chains at falling temperatures, with the moves of the problem's structure.  Half of
/// the chains begin at random, half at a low state; the first part of each is left out.
/// The same for any number of threads, unless stopped.
[[nodiscard]] Samples draw_samples(const qubo::Quadratic& f,
                                   const SampleSettings& settings,
                                   const Rng& rng,
                                   const Stop& stop);

/// The same for a polynomial: from the list of all states of at most 22 variables, else
/// by chains that draw one variable at a time.
[[nodiscard]] Samples draw_samples(const WholePolynomial& p,
                                   const SampleSettings& settings,
                                   const Rng& rng,
                                   const Stop& stop);
[[nodiscard]] Marginals marginals_of(const WholePolynomial& p,
                                     const SampleSettings& settings,
                                     const Rng& rng,
                                     const Stop& stop);

/// By a tree decomposition if its tables take at most 2^24 numbers.  Else by chains as
/// long as for the samples, which are not kept.
[[nodiscard]] Marginals marginals_of(const qubo::Quadratic& f,
                                     const SampleSettings& settings,
                                     const Rng& rng,
                                     const Stop& stop);

}  // namespace oa::solve
