#pragma once

#include "oa/attention/kind.h"
#include "oa/num/matrix.h"
#include "survey/bench/bench.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Tokens that all kinds of a benchmark share, and room for results.
struct BenchTokens {
  num::Matrix x;
  num::Matrix o;
  num::Matrix dx;  ///< empty without a backward pass

  BenchTokens(int tokens, int width, bool backward);
};

/// A kind of attention at a number of tokens, with random parameters.
class BenchSubject {
 public:
  /// The layer has the options of `spec`, then the heads of `options`, then the kind's
  /// defaults.  Counts its cost and allocates no memory for it.  Keeps a reference to
  /// `options`.
  BenchSubject(const attention::KindSpec& spec,
               int tokens,
               const BenchOptions& options);

  /// Its costs and the times so far.  `unsupported` says why a kind cannot run here, or
  /// that it needs too much memory.
  [[nodiscard]] report::BenchRow row() const;
  [[nodiscard]] const std::string& config() const { return row_.config; }
  /// The largest power of the tokens by which time grows: 3 for a problem a query,
  /// else 2.
  [[nodiscard]] double most_power() const {
    return spec_.kind->has_problem ? 3.0 : 2.0;
  }
  [[nodiscard]] bool supported() const { return row_.unsupported.empty(); }
  void refuse(const std::string& why) { row_.unsupported = why; }

  /// Allocates the layer and runs it, to learn how long a call takes and how much
  /// memory the process gains.
  void prepare(BenchTokens& tokens);
  [[nodiscard]] double seconds_per_call() const { return seconds_per_call_; }
  /// Number of rounds to take part in: fewer for calls that take seconds.
  [[nodiscard]] int rounds() const;
  /// Takes one more sample of each time.
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
  int calls_ = 1;  // of a sample
  std::vector<double> forward_ms_;
  std::vector<double> backward_ms_;
};

}  // namespace oa::app
