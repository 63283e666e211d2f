#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "survey/kernel/fused/plan.h"

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace oa::attention {

/// The sums of a row of weights 2^(logit - reference) so far.  References are integers,
/// and depend only on what the query sees: a change affects only exponents.
struct RowSum {
  /// The limit of a row that has seen no key: any logit sets its reference.
  static constexpr float kUnset = -1e29F;

  float sum = 0.0F;
  float reference = 0.0F;
  float limit = kUnset;  ///< a larger logit raises the reference
  float least = -std::numeric_limits<float>::infinity();  ///< of logits with a weight
};

/// The memory of one thread for a tile.
struct FusedWorker {
  num::View p;             ///< logits, then weights, of some rows and a block of keys
  num::View o;             ///< partial sums of outputs
  num::View sums;          ///< partial sums of the weights of a block
  num::View k;             ///< a block's keys, transposed, if the plan does not pack
  num::View v;             ///< its values
  std::span<RowSum> rows;  ///< of the tile
};

/// Memory for fused_forward(): packed keys and values of a group, and of each thread
///   rows x width + rows x keys + 20 numbers per row, 4 bytes each,
/// with keys and values of a block, 2 x keys x width, if groups are not packed.
class FusedScratch {
 public:
  FusedScratch(const HeadsShape& shape,
               const FusedPlan& plan,
               int threads,
               Arena& arena);

  [[nodiscard]] const FusedPlan& plan() const { return plan_; }
  /// The bytes that one thread needs.
  [[nodiscard]] std::size_t bytes_of_thread() const { return bytes_of_thread_; }
  [[nodiscard]] std::span<const FusedWorker> workers() const { return workers_; }
  [[nodiscard]] num::View keys() const { return keys_; }  ///< transposed
  [[nodiscard]] num::View values() const { return values_; }

 private:
  FusedPlan plan_;
  std::vector<FusedWorker> workers_;
  num::View keys_;
  num::View values_;
  std::size_t bytes_of_thread_ = 0;
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

/// The memory of one thread for a block of keys and a tile of queries.
struct GradientWorker {
  num::View q;    ///< rows x width
  num::View d_o;  ///< rows x width
  num::View dq;   ///< rows x width, for the block
  num::View p;    ///< rows x keys
  num::View ds;   ///< rows x keys
  num::View kt;   ///< width x keys
  num::View vt;   ///< width x keys
  num::View k;    ///< keys x width
  num::View dk;   ///< keys x width
  num::View dv;   ///< keys x width

  std::span<float> log2_sums;  ///< of the rows
  std::span<float> deltas;     ///< row sums of d_o * o
};

/// Memory for fused_backward().
/// Keys of a group are cut into parts for threads, depending on the shape only.  Each
/// part except the first has its own gradients of queries, which are added at the end.
///   bytes = ((parts - 1) x queries x heads x width + threads x
///            (3 rows x width + 2 rows x (keys + 1) + 5 keys x width)) x 4
class GradientScratch {
 public:
  GradientScratch(const HeadsShape& shape, int threads, Arena& arena);

  [[nodiscard]] std::span<const GradientWorker> workers() const { return workers_; }
  [[nodiscard]] std::span<const num::View> parts() const { return parts_; }

 private:
  std::vector<GradientWorker> workers_;
  std::vector<num::View> parts_;
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
