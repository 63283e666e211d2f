#pragma once

#include "oa/num/matrix.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kernel/pattern/pattern.h"

#include <span>
#include <vector>

namespace oa::attention {

/// The runs of keys that neighbouring queries see of a block, relative to its begin.
class SeenRuns {
 public:
  SeenRuns(const Pattern& pattern, int first, int count, Run keys);

  [[nodiscard]] std::span<const Run> of(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return std::span(runs_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
  }

 private:
  std::vector<Run> runs_;
  std::vector<std::size_t> ends_{0};
};

// Rows of logits in base 2, their weights and gradients, and products with them.

/// Sets tops_r to the largest visible logit of row r, the lowest float if there is
/// none.
void find_tops(const SeenRuns& seen, num::ConstView logits, std::span<float> tops);

/// Replaces logits by weights, unseen ones by 0, and adds the weights to the sums.
/// If a reference rises, its row of o is scaled, too.
void weigh_rows(const SeenRuns& seen,
                num::View logits,
                std::span<RowSum> rows,
                num::View o);

/// Replaces logits by p = 2^(logit - log_sum), unseen ones by 0, and dp by p (dp - d),
/// or by 0 where p is 0; d_r is the product of rows r of o and d_o.
void slope_rows(const SeenRuns& seen,
                std::span<const float> log2_sums,
                num::ConstView o,
                num::ConstView d_o,
                num::View logits,
                num::View dp);

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
