#pragma once

#include "oa/attention/count.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::report {

/// Statistics of the times of several rounds, in milliseconds.
struct Times {
  double median = 0.0;
  double min = 0.0;
  double iqr = 0.0;  ///< interquartile range
  int rounds = 0;
};

/// Computes statistics of at least one time.
[[nodiscard]] Times times_of(std::vector<double> milliseconds);

/// The machine's speeds, measured in the same run.
struct BenchMachine {
  std::string processor;
  std::string instruction_set;
  int threads = 1;
  double fma_gflops = 0.0;
  double copy_gbs = 0.0;  ///< bytes read plus bytes written, 10^9 per second
};

/// An attention layer at a number of tokens: costs by formula, and measurements.
/// Bytes are for float32.
struct BenchRow {
  std::string kind;
  std::string label;   ///< the kind with its options as given
  std::string config;  ///< the kind with all options
  int tokens = 0;
  int width = 0;
  int heads = 1;
  bool causal = false;
  std::string unsupported;  ///< why the rest was not measured, or empty

  std::int64_t parameters = 0;
  std::int64_t flops = 0;             ///< of the forward pass, with projections
  std::int64_t projection_flops = 0;  ///< of maps of single tokens
  std::int64_t backward_flops = 0;
  std::int64_t exponentials = 0;
  std::int64_t pairs = 0;     ///< pairs of query and key that get a score
  std::size_t bytes = 0;      ///< input, output and parameters, each counted once
  std::size_t traffic = 0;    ///< between caches, by the kind's formula; else `bytes`
  std::size_t saved = 0;      ///< memory kept for the backward pass
  std::size_t workspace = 0;  ///< scratch memory
  std::size_t arena = 0;      ///< total memory of the layer
  std::size_t resident = 0;   ///< growth of the process's resident memory
  std::optional<std::size_t> state = {};  ///< decoder's state after these tokens

  Times forward;
  std::optional<Times> backward = {};
  std::optional<double> decode_us = {};  ///< microseconds per decoded token
  std::optional<double> vs_baseline = {};
  std::vector<attention::Count> counts = {};  ///< choices and counts of the kind

  [[nodiscard]] double seconds() const { return 1e-3 * forward.median; }
  [[nodiscard]] double peak_share(const BenchMachine& machine) const;
  /// The share of the measured bandwidth; above 1 if data stay in caches.
  [[nodiscard]] double copy_share(const BenchMachine& machine) const;
  /// 1 - pairs / n^2 for n tokens, for kinds that score pairs.
  [[nodiscard]] std::optional<double> sparsity() const;
};

struct Bench {
  BenchMachine machine;
  std::string baseline;        ///< the kind to which `vs_baseline` compares
  std::vector<BenchRow> rows;  ///< sorted by tokens, then the optimising kind first
};

/// Formats text tables of at most 80 columns.
[[nodiscard]] std::string bench_text(const Bench& bench);
/// Formats a JSON object, described in oa-bench(1).
[[nodiscard]] std::string bench_json(const Bench& bench);
/// Formats a line of names, then a line for each row.
[[nodiscard]] std::string bench_csv(const Bench& bench);

}  // namespace oa::report
