#pragma once

#include <optional>
#include <string>
#include <vector>

namespace oa::attention {

/// Random queries, keys and values of one head,
/// for measuring approximations of softmax attention.
struct ApproximationSettings {
  int tokens = 256;
  int head_width = 16;
  double spread = 1.0;  ///< standard deviation of the logits q.k / sqrt(d)
  int draws = 3;        ///< draws that are averaged
};

/// The error of an approximation with `size` features, keys or ranks:
/// approximate - exact|_F / |exact|_F, except for the weights of topk.
struct Approximation {
  std::string method = {};
  int size = 0;
  double weights = 0.0;  ///< error of exp(logits) for features, else of weights
  std::optional<double> bound = {};  ///< upper bound of `weights`, if one is known
  double outputs = 0.0;
};

/// Measures the methods below, each in order of size:
///   positive   random features of Performer; for |x| / d^1/4 <= R the bound is
///              sqrt((exp(4R^2) - 1) / m), useful for small norms only
///   fourier    sines and cosines of RFA for unit queries and keys; the reference is
///              exact attention for unit queries and keys
///   topk       the k largest logits.  The error of a row of weights is the sum of
///              absolute differences, which equals twice the omitted weight
///   linformer  random projections of keys and values to `size` rows, N(0, 1/k)
///   rank       the best approximation of the weights by a matrix of that rank
/// The reference is computed in double precision.
/// O(draws tokens^2 (tokens + features)).
[[nodiscard]] std::vector<Approximation> approximation_errors(
    const ApproximationSettings& settings);

}  // namespace oa::attention
