#include "oa/attention/dependence.h"

#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace oa::attention {
namespace {

/// A layer for one sequence, with its own memory.
class AtWork {
 public:
  AtWork(const Layer& layer, int tokens, int dim) : out_(tokens, dim) {
    const Batch batch = Batch::of_one(tokens);
    (void)layer.make(batch, {.kept = kept_, .scratch = scratch_});
    kept_ = Arena(kept_.high_water());
    scratch_ = Arena(scratch_.high_water());
    attention_ = layer.make(batch, {.kept = kept_, .scratch = scratch_});
  }

  const num::Matrix& forward(const parts::Weights& weights, const num::Matrix& x) {
    attention_->forward(weights, x, out_);
    return out_;
  }

 private:
  Arena kept_;
  Arena scratch_;
  num::Matrix out_;
  std::unique_ptr<Attention> attention_;
};

/// True if rows differ by more than rounding.
bool changed(num::ConstView a, num::ConstView b, int row) {
  constexpr float kRounding = 2e-6F;
  float largest = 0.0F;
  float difference = 0.0F;
  for (int j = 0; j < a.cols; ++j) {
    largest = std::max(largest, std::abs(a(row, j)));
    difference = std::max(difference, std::abs(a(row, j) - b(row, j)));
  }
  return difference > kRounding * largest;
}

Pattern pattern_of(const std::vector<std::vector<bool>>& sees) {
  const int tokens = static_cast<int>(sees.size());
  std::vector<std::int64_t> first{0};
  std::vector<Run> runs;
  for (const std::vector<bool>& row : sees) {
    for (int k = 0; k < tokens; ++k) {
      if (!row[static_cast<std::size_t>(k)]) {
        continue;
      }
      const int begin = k;
      while (k < tokens && row[static_cast<std::size_t>(k)]) {
        ++k;
      }
      runs.push_back({begin, k});
    }
    first.push_back(std::ssize(runs));
  }
  return Pattern::of_runs(tokens, first, std::move(runs));
}

}  // namespace

Pattern dependence(const Layer& layer,
                   const parts::Weights& weights,
                   num::ConstView x,
                   int dim) {
  constexpr float kChange = 0.01F;
  const int n = x.rows;
  num::Matrix tokens(n, x.cols);
  num::copy(x, tokens);
  AtWork at(layer, n, dim);
  const num::Matrix before = at.forward(weights, tokens);
  std::vector<std::vector<bool>> sees(static_cast<std::size_t>(n),
                                      std::vector<bool>(static_cast<std::size_t>(n)));
  for (int k = 0; k < n; ++k) {
    // Alternates the sign: the change is not a common offset.
    for (int j = 0; j < x.cols; ++j) {
      tokens(k, j) += j % 2 == 0 ? kChange : -kChange;
    }
    const num::Matrix& after = at.forward(weights, tokens);
    for (int q = 0; q < n; ++q) {
      sees[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)] =
          changed(before, after, q);
    }
    std::copy_n(x.row(k), x.cols, tokens.row(k));
  }
  return pattern_of(sees);
}

}  // namespace oa::attention
