#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace peers {

/// Softmax attention of one sequence, or a scan of 2048 tokens of width 1024.
struct Problem {
  enum class Kind { Attention, Gated, Selective };
  std::string name;
  Kind kind = Kind::Attention;
  int queries = 0;
  int keys = 0;
  int heads = 1;
  int groups = 1;
  int width = 64;       ///< of a head
  bool causal = false;  ///< the last query sees all keys
  int window = 0;       ///< causal: keys that a query sees, itself among them; 0: all
  bool half = false;    ///< keys and values are halves

  [[nodiscard]] bool decodes() const { return queries == 1; }
  /// FLOPs of the pairs that are seen.
  [[nodiscard]] double flops() const;
  /// Of keys and values.
  [[nodiscard]] double cache_bytes() const;
};

/// Rows of tokens, heads side by side: q (queries x heads width), k and v (keys x
/// groups width).  Scans have q, k, v and decays (tokens x 1024).
struct Data {
  std::vector<float> q;
  std::vector<float> k;
  std::vector<float> v;
  std::vector<float> decay;  ///< its logarithm; of a selective scan the step dt
};

/// Somebody's way to solve a problem, ready to run.
struct Run {
  std::function<void()> once;
  std::function<const float*()> output;  ///< queries x heads width
};

/// Those that can take part; `once` is empty where one cannot.  Data outlive runs.
Run ours(const Problem& problem, const Data& data);
Run openblas(const Problem& problem, const Data& data);
Run onednn(const Problem& problem, const Data& data);
Run ggml(const Problem& problem, const Data& data);
Run onnxruntime(const Problem& problem, const Data& data);

/// Sums up the bytes of the cache and does nothing else: what decoding takes at least.
Run reading(const Problem& problem, const Data& data);

}  // namespace peers
