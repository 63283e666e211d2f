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

/// The coefficients of kinds that solve problems: between 0 and 1, these rounded, or
/// proved optima among 0 and 1.
enum class BenchCoefficients : std::uint8_t { Continuous, Binary, Exact };

/// Layers of attention to measure, and how.
struct BenchOptions {
  std::vector<attention::KindSpec> kinds;  ///< if empty: all
  std::vector<int> tokens{49, 256, 1024};  ///< n of each sequence
  int width = 64;                          ///< D, of all heads together
  std::optional<std::int64_t>
      heads;  ///< for kinds with heads; empty: the default of each
  bool causal = false;
  bool backward = false;  ///< also time the backward pass
  bool decode = false;    ///< also time decoding
  int rounds = 9;
  int threads = 1;
  BenchCoefficients coefficients = BenchCoefficients::Continuous;
  double limit_s = 60.0;  ///< longer calls are skipped
};

/// Counts the costs of every kind for every n and measures its times.  Each round times
/// one kind after the other, so that a change of the machine's speed affects all kinds.
/// A kind that is unsupported, or needs too much memory or time, gets a row with the
/// reason.  After a signal, returns the rows so far.
[[nodiscard]] report::Bench run_bench(const BenchOptions& options, Context& context);

/// The most tokens of study_exponentials().
inline constexpr int kMaxStudiedTokens = 65536;

/// Measures the errors of ways to compute exponentials, at each n, for logits with a
/// standard deviation of 1 and 3.
[[nodiscard]] std::vector<attention::Exponential> study_exponentials(
    const BenchOptions& options);

}  // namespace oa::app

namespace oa {

template <>
struct EnumNames<app::BenchCoefficients> {
  static constexpr std::array kAll{"continuous", "binary", "exact"};
};

}  // namespace oa
