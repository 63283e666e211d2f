#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "survey/kernel/fused/plan.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

/// The memory of one thread.
struct FusedWorker;

/// Memory for fused_forward(): packed keys, and memory of each thread for a tile.
///   bytes = packed keys (packed x keys x width) + threads x (rows x (2 width + keys) +
///           keys of a block x width + a few numbers per row and panel), 4 bytes each
class FusedScratch {
 public:
  FusedScratch(const HeadsShape& shape,
               const FusedPlan& plan,
               int threads,
               Arena& arena);

  [[nodiscard]] const FusedPlan& plan() const { return plan_; }
  /// The bytes that one thread needs.
  [[nodiscard]] std::size_t bytes_of_thread() const { return bytes_of_thread_; }
  [[nodiscard]] std::span<FusedWorker> workers() const { return workers_; }
  [[nodiscard]] float* packed() const { return packed_; }
  [[nodiscard]] std::uint8_t* careful() const { return careful_; }

 private:
  FusedPlan plan_;
  std::span<FusedWorker> workers_;
  float* packed_ = nullptr;
  std::size_t bytes_of_thread_ = 0;
  std::uint8_t* careful_ = nullptr;
};

/// Computes exact softmax attention of every head:
///   P = softmax of scale q k' over the keys that `pattern` allows,   o = P v
/// The output of a query without keys is 0.
/// log_sums (heads x queries, or empty) receives
///   L = log sum exp(scale q k'), -infinity for a query without keys.
/// Backward recomputes P = exp(scale q k' - L).
/// A head with d columns costs 4 d FLOPs and one exponential for each pair, and reads n
/// d (2 + 2 n / rows) floats through the cache.  Stores no matrix of queries x keys,
/// and skips blocks of keys that no query of a tile sees.
///
/// If k or v are not finite, only queries that see these keys get such results.
/// The result of a query does not depend on finite keys and values that it does not
/// see, bit for bit, nor on the number of threads, which share the tiles.
void fused_forward(const HeadsView& heads,
                   const Pattern& pattern,
                   num::View o,
                   num::View log_sums,
                   const FusedScratch& scratch);

/// The memory of one thread.
struct GradientWorker;

/// Memory for fused_backward().
/// Keys of a group are cut into parts for threads, depending on the shape only.  Each
/// part except the first has its own gradients of queries, which are added at the end.
///   bytes = (heads x queries + (parts - 1) x queries x heads x width + threads x
///            (3 rows x width + 2 rows x keys + 5 keys x width)) x 4, and a little more
class GradientScratch {
 public:
  GradientScratch(const HeadsShape& shape, int threads, Arena& arena);

  [[nodiscard]] std::span<GradientWorker> workers() const { return workers_; }
  /// D, the row sums of dO * o, for all heads and queries.
  [[nodiscard]] float* deltas() const { return deltas_; }
  [[nodiscard]] std::span<const num::View> parts() const { return parts_; }

 private:
  std::span<GradientWorker> workers_;
  std::span<num::View> parts_;
  float* deltas_ = nullptr;
};

/// Gradients of fused_forward() from its results o and L (log_sums), and dO:
///   P = exp(scale q k' - L),  dP = dO v',  D = rowsum(dO * o),  dS = P * (dP - D)
///   dq = scale dS k,  dk = scale dS' q,  dv = P' dO
/// where dk and dv are sums over the heads of a group.  Overwrites dq, dk and dv.
/// Takes 10 d FLOPs for each pair: five products, because P is computed again.
void fused_backward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::ConstView o,
                    num::ConstView log_sums,
                    num::ConstView d_o,
                    num::View dq,
                    num::View dk,
                    num::View dv,
                    const GradientScratch& scratch);

}  // namespace oa::attention
