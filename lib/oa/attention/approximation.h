#pragma once

#include <optional>
#include <string>
#include <vector>

namespace oa::attention {

/// Drawn queries, keys and values of one head, to measure what approximations of
/// softmax attention lose.
struct ApproximationSettings {
  int tokens = 256;
  int head_width = 16;
  double spread = 1.0;  ///< standard deviation of the logits q.k / sqrt(d)
  int draws = 3;        ///< the mean of so many is taken
};

/// What an approximation with `size` features, keys or ranks loses.  Errors are
/// relative, |found - exact|_F / |exact|_F, but for the weights of top-k.
struct Approximation {
  std::string method = {};
  int size = 0;
  double weights = 0.0;  ///< of exp(logits) for features, else of normalised weights
  std::optional<double> bound = {};  ///< of `weights`, where there is one
  double outputs = 0.0;
};

/// In the order of their sizes, method by method:
///   positive   random features of Performer; for |x| / d^1/4 <= R the bound is
///              sqrt((exp(4R^2) - 1) / m), which needs small norms to say anything
///   fourier    sines and cosines of RFA for unit queries and keys, beside the exact
///              attention of those
///   topk       the k largest logits.  The error of a row of weights is the sum of its
///              differences; it is bounded by, and equal to, twice the mass left out
///   linformer  random projections of keys and values to so many, N(0, 1/k)
///   rank       the best matrix of that rank in place of the weights
/// All beside plain arithmetic of float64.  O(draws tokens^2 (tokens + features)).
[[nodiscard]] std::vector<Approximation> approximation_errors(
    const ApproximationSettings& settings);

}  // namespace oa::attention
