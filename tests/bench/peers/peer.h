#pragma once

#include "oa/base/large_allocator.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace peers {

/// Memory that begins with a line of the cache, as ggml's tensors and our matrices do,
/// and lies in huge pages where it is large, as ours does.
template <class T>
struct LineAllocator {
  using value_type = T;

  LineAllocator() = default;
  template <class U>
  explicit LineAllocator(const LineAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(oa::allocate_large(count * sizeof(T), kLine));
  }
  void deallocate(T* memory, std::size_t count) {
    oa::free_large(memory, count * sizeof(T), kLine);
  }
  bool operator==(const LineAllocator& /*other*/) const { return true; }

 private:
  static constexpr std::align_val_t kLine{64};
};
using AlignedFloats = std::vector<float, LineAllocator<float>>;

/// Softmax attention of one sequence, or a scan of tokens of width 1024.
struct Problem {
  enum class Kind { Attention, Gated, Selective, Delta };
  std::string name;
  Kind kind = Kind::Attention;
  int queries = 0;
  int keys = 0;
  int heads = 1;
  int groups = 1;
  int width = 64;       ///< of a head
  bool causal = false;  ///< the last query sees all keys
  int window = 0;       ///< causal: keys that a query sees, itself among them; 0: all
  bool half = false;    ///< keys and values are in half precision
  bool bounds_only = false;  ///< beside a read and multiply-adds, not beside others

  [[nodiscard]] bool decodes() const { return kind == Kind::Attention && queries == 1; }
  /// FLOPs of the pairs that are seen.
  [[nodiscard]] double flops() const;
  /// Bytes of keys and values.
  [[nodiscard]] double cache_bytes() const;
};

/// Rows of tokens, heads side by side: q (queries x heads width), k and v (keys x
/// groups width).  Scans have q, k, v and decays (tokens x 1024).
struct Data {
  AlignedFloats q;
  AlignedFloats k;
  AlignedFloats v;
  AlignedFloats decay;  ///< its logarithm; of a selective scan the step dt
  AlignedFloats step;   ///< of a delta scan, tokens x heads, as its decays
};

/// A library's way to compute a case, ready to run.
struct Run {
  std::function<void()> once;
  std::function<const float*()> output;  ///< queries x heads width
};

/// The libraries; `once` is empty if a library cannot take part.  Data outlive runs.
Run ours(const Problem& problem, const Data& data);
Run openblas(const Problem& problem, const Data& data);
Run onednn(const Problem& problem, const Data& data);
Run ggml(const Problem& problem, const Data& data);
Run onnxruntime(const Problem& problem, const Data& data);

/// Bounds, in the same rounds: sums up the bytes of the cache and does nothing else,
/// and as many multiply-adds in registers as the problem has.  Decoding takes at least
/// each of them.
Run reading(const Problem& problem, const Data& data);
Run multiply_adds(const Problem& problem);

}  // namespace peers
