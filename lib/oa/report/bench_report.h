#pragma once

#include "oa/attention/count.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::report {

/// Times of one thing in several rounds, in milliseconds.
struct Times {
  double median = 0.0;
  double min = 0.0;
  double iqr = 0.0;  ///< between the quartiles
  int rounds = 0;
};

/// `milliseconds` of rounds, at least one.
[[nodiscard]] Times times_of(std::vector<double> milliseconds);

/// What was measured of the machine in the same run.
struct BenchMachine {
  std::string processor;
  std::string instruction_set;
  int threads = 1;
  double fma_gflops = 0.0;
  double copy_gbs = 0.0;  ///< read and written bytes, 10^9 a second
};

/// An attention layer at a number of tokens: what it costs by its own account, and what
/// it took.  A bytes count is of float32.
struct BenchRow {
  std::string kind;
  std::string said;    ///< the kind and the options that were asked for
  std::string config;  ///< with all that were set
  int tokens = 0;
  int width = 0;
  int heads = 1;
  bool causal = false;
  std::string unsupported;  ///< why nothing below was measured; empty if it was

  std::int64_t parameters = 0;
  std::int64_t flops = 0;             ///< forward, projections included
  std::int64_t projection_flops = 0;  ///< those of maps of tokens one by one
  std::int64_t backward_flops = 0;
  std::int64_t exponentials = 0;
  std::int64_t pairs = 0;     ///< of queries and keys; 0: scores none
  std::size_t bytes = 0;      ///< tokens in and out and parameters, each once
  std::size_t traffic = 0;    ///< between caches, by the cost of the kind; or `bytes`
  std::size_t saved = 0;      ///< kept for the way back, if there is one
  std::size_t workspace = 0;  ///< scratch memory of this run
  std::size_t arena = 0;      ///< all memory of the layer in this run
  std::size_t resident = 0;   ///< what the process grew by
  std::optional<std::size_t> state = {};  ///< for decoding at this many tokens

  Times forward;
  std::optional<Times> backward = {};
  std::optional<double> decode_us = {};  ///< a token
  std::optional<double> vs_baseline = {};
  std::vector<attention::Count> counts = {};  ///< what the kind chose and counted

  [[nodiscard]] double seconds() const { return 1e-3 * forward.median; }
  [[nodiscard]] double peak_share(const BenchMachine& machine) const;
  /// Of the measured bandwidth; above 1 where the traffic stays in a cache.
  [[nodiscard]] double copy_share(const BenchMachine& machine) const;
  /// 1 - pairs / n^2, of kinds that score pairs.
  [[nodiscard]] std::optional<double> sparsity() const;
};

struct Bench {
  BenchMachine machine;
  std::string baseline;        ///< the kind that `vs_baseline` is a ratio to
  std::vector<BenchRow> rows;  ///< by tokens, then the optimising kind first
};

/// Tables for a person, at most 80 columns wide.
[[nodiscard]] std::string bench_text(const Bench& bench);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string bench_json(const Bench& bench);
/// A line of names and one for each row.
[[nodiscard]] std::string bench_csv(const Bench& bench);

}  // namespace oa::report
