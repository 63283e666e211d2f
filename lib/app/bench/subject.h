#pragma once

#include "app/bench/bench.h"
#include "oa/attention/kind.h"
#include "oa/num/matrix.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// The tokens that all kinds of a benchmark get, and where results go.
struct BenchTokens {
  num::Matrix x;
  num::Matrix o;
  num::Matrix dx;  ///< with a way back; else empty

  BenchTokens(int tokens, int width, bool backward);
};

/// A kind of attention at a number of tokens, with drawn parameters.
class BenchSubject {
 public:
  /// Where `spec` does not say otherwise the layer has the heads that are asked for,
  /// and else the kind's defaults, as a model that is trained with that kind.  Counts
  /// what it costs and takes no memory for it.  Keeps a reference to `options`.
  BenchSubject(const attention::KindSpec& spec,
               int tokens,
               const BenchOptions& options);

  /// What is known of it, with the times so far.  `unsupported` if it cannot stand here
  /// or takes more memory than there is.
  [[nodiscard]] report::BenchRow row() const;
  [[nodiscard]] const std::string& config() const { return row_.config; }
  /// Time grows no faster than this power of the tokens: a problem for every query, or
  /// all pairs.
  [[nodiscard]] double most_power() const {
    return spec_.kind->has_problem ? 3.0 : 2.0;
  }
  [[nodiscard]] bool supported() const { return row_.unsupported.empty(); }
  void refuse(const std::string& why) { row_.unsupported = why; }

  /// Takes the parameters' memory and runs once or more, to know how long that takes
  /// and what it makes the process grow by.
  void prepare(BenchTokens& tokens);
  [[nodiscard]] double seconds_per_call() const { return seconds_per_call_; }
  /// In how many rounds it takes part: what takes seconds is measured less often.
  [[nodiscard]] int rounds() const;
  /// Which tokens each output depends on, if the kind can stand here.
  [[nodiscard]] report::Dependence dependence(const BenchTokens& tokens) const;
  /// One more sample of each time.
  void sample(BenchTokens& tokens);
  /// Goes token by token up to the context; the last steps are timed.
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
