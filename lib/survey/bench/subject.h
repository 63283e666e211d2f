#pragma once

#include "oa/attention/kind.h"
#include "oa/num/matrix.h"
#include "survey/bench/bench.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Tokens that all kinds of a benchmark share, and memory for results.
struct BenchTokens {
  num::Matrix x;
  num::Matrix o;
  num::Matrix dx;  ///< empty if the backward pass is not timed

  BenchTokens(int tokens, int width, bool backward);
};

/// A kind of attention at a number of tokens, with random parameters.
class BenchSubject {
 public:
  /// Makes a layer from the options of `spec`,
  /// the heads of `options` and defaults of the kind.
  /// Counts costs without allocating memory.  Keeps a reference to `options`.
  BenchSubject(const attention::KindSpec& spec,
               int tokens,
               const BenchOptions& options);

  /// The costs and the times so far.  `unsupported` gives the reason why the kind
  /// cannot run here, or that it needs too much memory.
  [[nodiscard]] report::BenchRow row() const;
  [[nodiscard]] const std::string& config() const { return row_.config; }
  /// The largest p for which a time can grow as tokens^p:
  /// 3 for kinds that solve a problem for each query, else 2.
  [[nodiscard]] double most_power() const {
    return spec_.kind->has_problem ? 3.0 : 2.0;
  }
  [[nodiscard]] bool supported() const { return row_.unsupported.empty(); }
  void refuse(const std::string& why) { row_.unsupported = why; }

  /// Allocates the layer and calls it once, to measure the time of a call and the
  /// memory that the process gains.
  void prepare(BenchTokens& tokens);
  [[nodiscard]] double seconds_per_call() const { return seconds_per_call_; }
  /// The number of rounds; fewer if calls take seconds.
  [[nodiscard]] int rounds() const;
  /// Adds a sample of each time.
  void sample(BenchTokens& tokens);
  /// Decodes token by token up to the context, and times the last steps.
  void decode(const BenchTokens& tokens, Context& context);

 private:
  [[nodiscard]] attention::Site site(bool causal) const;
  void count(int tokens);
  void count_state(int tokens);

  const BenchOptions& options_;
  attention::KindSpec spec_;
  attention::Batch batch_;
  parts::Layout layout_;
  std::unique_ptr<const attention::Layer> layer_;
  std::optional<parts::Weights> weights_;
  report::BenchRow row_;
  double seconds_per_call_ = 0.0;
  int calls_ = 1;  // calls per sample
  std::vector<double> forward_ms_;
  std::vector<double> backward_ms_;
};

}  // namespace oa::app
