#pragma once

#include "app/context.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/field.h"
#include "survey/bench/bench_report.h"
#include "survey/bench/exponentials.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::app {

/// The coefficients of kinds that solve problems:
/// numbers from 0 to 1, numbers rounded to 0 or 1, or proved optima among 0 and 1.
enum class BenchCoefficients : std::uint8_t { Continuous, Binary, Exact };

/// Layers of attention to measure, and settings of the measurement.
struct BenchOptions {
  std::vector<attention::KindSpec> kinds;  ///< if empty: all
  std::vector<int> tokens{49, 256, 1024};  ///< numbers of tokens of a sequence
  int width = 64;                          ///< D, width of a token
  std::optional<std::int64_t>
      heads;  ///< for kinds with heads; empty: each kind's default
  bool causal = false;
  bool backward = false;  ///< also time the backward pass
  bool decode = false;    ///< also time decoding
  int rounds = 9;
  int threads = 1;
  BenchCoefficients coefficients = BenchCoefficients::Continuous;
  double limit_s = 60.0;  ///< skip calls predicted to be longer
};

/// Counts the costs of each kind for each number of tokens, and measures its times.
/// A round measures every kind once, so that changes of the machine's speed affect all
/// kinds alike.  A kind that is unsupported, or needs too much memory or time,
/// gets a row with the reason.  After a signal, returns the rows so far.
[[nodiscard]] report::Bench run_bench(const BenchOptions& options, Context& context);

/// The maximum number of tokens for study_exponentials().
inline constexpr int kMaxStudiedTokens = 65536;

/// Measures errors of methods for exponentials, for each number of tokens, for logits
/// with a standard deviation of 1 and 3.
[[nodiscard]] std::vector<attention::Exponential> study_exponentials(
    const BenchOptions& options);

}  // namespace oa::app

namespace oa {

template <>
struct EnumNames<app::BenchCoefficients> {
  static constexpr std::array kAll{"continuous", "binary", "exact"};
};

}  // namespace oa
