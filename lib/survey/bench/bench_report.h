#pragma once

#include "oa/attention/count.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::report {

/// Times of several rounds, in milliseconds.
struct Times {
  double median = 0.0;
  double min = 0.0;
  double iqr = 0.0;  ///< interquartile range
  int rounds = 0;
};

/// Statistics of the times of at least one round.
[[nodiscard]] Times times_of(std::vector<double> milliseconds);

/// The machine, measured in the same run.
struct BenchMachine {
  std::string processor;
  std::string instruction_set;
  int threads = 1;
  double fma_gflops = 0.0;
  double copy_gbs = 0.0;  ///< bytes read and written, 10^9 a second
};

/// An attention layer at a number of tokens: its costs by formula and its measurements.
/// Numbers of bytes are for float32.
struct BenchRow {
  std::string kind;
  std::string label;   ///< the kind and its options as given
  std::string config;  ///< with all options
  int tokens = 0;
  int width = 0;
  int heads = 1;
  bool causal = false;
  std::string unsupported;  ///< why nothing below was measured, or empty

  std::int64_t parameters = 0;
  std::int64_t flops = 0;             ///< forward, projections included
  std::int64_t projection_flops = 0;  ///< of maps of single tokens
  std::int64_t backward_flops = 0;
  std::int64_t exponentials = 0;
  std::int64_t pairs = 0;   ///< of queries and keys that are scored
  std::size_t bytes = 0;    ///< input, output and parameters, each once
  std::size_t traffic = 0;  ///< between caches, by the formula of the kind; or `bytes`
  std::size_t saved = 0;    ///< for the backward pass
  std::size_t workspace = 0;              ///< scratch memory
  std::size_t arena = 0;                  ///< all memory of the layer
  std::size_t resident = 0;               ///< growth of the process
  std::optional<std::size_t> state = {};  ///< of decoding at this many tokens

  Times forward;
  std::optional<Times> backward = {};
  std::optional<double> decode_us = {};  ///< for each token
  std::optional<double> vs_baseline = {};
  std::vector<attention::Count> counts = {};  ///< choices and counts of the kind

  [[nodiscard]] double seconds() const { return 1e-3 * forward.median; }
  [[nodiscard]] double peak_share(const BenchMachine& machine) const;
  /// Share of the measured bandwidth; above 1 if the traffic stays in caches.
  [[nodiscard]] double copy_share(const BenchMachine& machine) const;
  /// 1 - pairs / n^2, for kinds that score pairs.
  [[nodiscard]] std::optional<double> sparsity() const;
};

struct Bench {
  BenchMachine machine;
  std::string baseline;        ///< the kind that `vs_baseline` compares with
  std::vector<BenchRow> rows;  ///< by tokens; the optimising kind first
};

/// Tables of text, at most 80 columns wide.
[[nodiscard]] std::string bench_text(const Bench& bench);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string bench_json(const Bench& bench);
/// A line of names, then a line for each row.
[[nodiscard]] std::string bench_csv(const Bench& bench);

}  // namespace oa::report
