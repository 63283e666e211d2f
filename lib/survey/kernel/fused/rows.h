#pragma once

#include "oa/num/matrix.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kernel/pattern/pattern.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

/// The runs of keys that neighbouring queries see of a block, relative to its begin.
class SeenRuns {
 public:
  SeenRuns(const Pattern& pattern, int first, int count, Run keys);

  [[nodiscard]] std::span<const Run> of(int row) const {
    if (whole_) {
      return {&every_, 1};
    }
    const auto i = static_cast<std::size_t>(row);
    return std::span(runs_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
  }
  /// Returns keys that every query sees, maybe not all of them.
  [[nodiscard]] Run every() const { return every_; }
  /// Returns a number whose bit j is set if a query sees the key keys.begin + j.
  /// There are at most 64 keys.
  [[nodiscard]] std::uint64_t bits(int row, Run keys) const;

 private:
  Run every_;
  bool whole_ = false;  ///< every query sees the block
  std::vector<Run> runs_;
  std::vector<std::size_t> ends_{0};
};

// Rows of logits in base 2, their weights and gradients, and products with them.

/// Sets tops_r to the largest visible logit of row r, the lowest float if there is
/// none.
void find_tops(const SeenRuns& seen, num::ConstView logits, std::span<float> tops);

/// Queries against a block of keys, which are transposed and scaled.
struct WeightRows {
  num::ConstView q;
  num::ConstView k;
  std::span<RowSum> rows;
  num::View sums;  ///< num::kLane partial sums for each row
  num::View p;     ///< the weights
  num::View o;
};

/// Computes weights of logits q k, 0 for unseen keys, and adds them to the sums.
/// If a reference rises, its row of o is scaled, too.
void weigh_rows(const SeenRuns& seen, const WeightRows& rows);

/// Queries and gradients of outputs against a block of keys and values.
struct SlopeRows {
  num::ConstView q;
  num::ConstView d_o;
  num::ConstView k;  ///< transposed and scaled
  num::ConstView v;  ///< transposed
  std::span<const float> log2_sums;
  std::span<const float> deltas;
  num::View p;
  num::View ds;
};

/// Computes p = 2^(q k - log_sum) and ds = p (d_o v - delta), both 0 for unseen keys.
void slope_rows(const SeenRuns& seen, const SlopeRows& rows);

/// Sets each delta to the product of a row of o and the same row of d_o.
void find_deltas(num::ConstView o, num::ConstView d_o, std::span<float> deltas);

/// True if no number in the columns of x is infinite or NaN.
[[nodiscard]] bool all_finite(num::ConstView x);

/// c += a b, or a' b if `transposed`.  If not `finite`, skips zeros of a: they hide
/// numbers of b that are infinite or NaN.
void add_weighted(
    num::ConstView a, bool transposed, num::ConstView b, bool finite, num::View c);

/// Returns runs of at most `most` keys, a multiple of num::kLane, which hold all of
/// `keys` that queries first .. first+count-1 see.
/// Like `keys`, the runs begin at multiples of num::kLane.
[[nodiscard]] std::vector<Run> seen_blocks(
    const Pattern& pattern, int first, int count, Run keys, int most);

}  // namespace oa::attention
