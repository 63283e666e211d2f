#pragma once

#include "app/context.h"
#include "oa/attention/exponentials.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/field.h"
#include "oa/report/bench_report.h"
#include "oa/report/dependence_report.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::app {

/// What kinds that solve problems look for: numbers from 0 to 1, those cut at 1/2, or
/// the proven best of those that are 0 or 1.
enum class BenchCoefficients : std::uint8_t { Continuous, Binary, Exact };

/// Which layers of attention to measure, and how.
struct BenchOptions {
  std::vector<attention::KindSpec> kinds;  ///< if empty: all
  std::vector<int> tokens{49, 256, 1024};  ///< n of each sequence
  int width = 64;                          ///< D, of all heads together
  std::optional<std::int64_t> heads;       ///< of kinds that have some; else their own
  bool causal = false;
  bool backward = false;  ///< time the way back, too
  bool decode = false;    ///< time decoding, too
  int rounds = 9;
  int threads = 1;
  BenchCoefficients coefficients = BenchCoefficients::Continuous;
  double limit_s = 60.0;  ///< calls that would take longer are not made
};

/// Declares every kind for every n, counts what it costs, and measures: each round
/// times one kind after the other, so that a change of the machine's speed meets all of
/// them.  What a kind cannot do becomes a row that says why, and so does what the free
/// memory does not hold or what by the times at fewer tokens would take too long; no
/// memory is taken for it.  After a signal, the rows so far.
[[nodiscard]] report::Bench run_bench(const BenchOptions& options, Context& context);

/// The most tokens of find_dependences(): a drawing has a column for each.
inline constexpr int kMostDrawnTokens = 256;

/// Measures nothing: which tokens each output of every kind depends on, at the first n.
/// A square number of tokens is a picture.  Coefficients are binary.
[[nodiscard]] std::vector<report::Dependence> find_dependences(
    const BenchOptions& options);

/// The most tokens of study_exponentials().
inline constexpr int kMostStudiedTokens = 65536;

/// Measures no time: what ways to compute exponentials lose, at each n, of logits with
/// a deviation of 1 and 3.
[[nodiscard]] std::vector<attention::Exponential> study_exponentials(
    const BenchOptions& options);

}  // namespace oa::app

namespace oa {

template <>
struct EnumNames<app::BenchCoefficients> {
  static constexpr std::array kAll{"continuous", "binary", "exact"};
};

}  // namespace oa
