// PoolFormer's mixing (arXiv:2111.11418): the mean over a token's neighbourhood, minus
// the token.  The neighbourhood is a square on the grid of a picture, near tokens of a
// sequence, or the last tokens in a causal layer.  Places beyond the border do not
// count. It has no parameters and costs 2 FLOPs for each neighbour and column.
#include "oa/attention/kernel/heads.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct PoolOptions {
  int size = 3;

  static std::span<const Field<PoolOptions>> fields() {
    static constexpr std::array kFields{field<&PoolOptions::size>(
        "size",
        "Side of the square, or tokens of a sequence, in a group",
        {.range = {.low = 1, .high = 4097}})};
    return kFields;
  }
};

/// An offset from a token to a neighbour.
struct Step {
  int rows;
  int cols;
};

/// Tokens to .. to+count-1 of a row see from .. from+count-1.
struct Stretch {
  int to;
  int from;
  int count;
};

/// The neighbourhood of each token.
class Neighbours {
 public:
  Neighbours(const Site& site, int size, int tokens) : tokens_(tokens) {
    const bool grid = site.grid_cols > 0 && !site.causal;
    cols_ = grid ? site.grid_cols : std::max(1, tokens);
    const int rows = (tokens + cols_ - 1) / cols_;
    across_ = grid ? std::clamp(rows - 1, 0, size / 2) : 0;
    before_ = std::min(cols_ - 1, site.causal ? size - 1 : size / 2);
    after_ = site.causal ? 0 : std::min(cols_ - 1, size / 2);
  }

  /// All offsets, earliest tokens first.
  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> all;
    for (int r = -across_; r <= across_; ++r) {
      for (int c = -before_; c <= after_; ++c) {
        all.push_back({r, c});
      }
    }
    return all;
  }

  /// Visits all pairs of one offset.
  template <class Visit>
  void each(Step step, Visit visit) const {
    for (int row = std::max(0, -step.rows); row * cols_ < tokens_; ++row) {
      const int other = row + step.rows;
      const int first = std::max(0, -step.cols);
      const int last = std::min(width(row), width(other) - step.cols);
      if (first < last) {
        visit(Stretch{
            row * cols_ + first, other * cols_ + first + step.cols, last - first});
      }
    }
  }

  [[nodiscard]] int count(int token) const {
    const int row = token / cols_;
    const int col = token % cols_;
    int n = 0;
    for (int r = std::max(0, row - across_); r <= row + across_; ++r) {
      n += std::max(0,
                    std::min(width(r), col + after_ + 1) - std::max(0, col - before_));
    }
    return n;
  }

 private:
  // The number of tokens in a row; the last row may be short.
  [[nodiscard]] int width(int row) const {
    return std::clamp(tokens_ - row * cols_, 0, cols_);
  }

  // Offsets are limited to the size of the picture.
  int tokens_;
  int cols_ = 1;
  int across_ = 0;  // rows of the grid above and below
  int before_ = 0;
  int after_ = 0;
};

struct PoolParts {
  int size;

  PoolParts(const Site& site, parts::Layout& /*layout*/)
      : size(options_of<PoolOptions>(site).size) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const Neighbours around(site, size, tokens);
    parts::Cost cost;
    for (int i = 0; i < tokens; ++i) {
      cost.pairs += around.count(i);
    }
    cost.forward = cost.backward = 2 * cost.pairs * site.dim;
    cost.traffic = std::int64_t{8} * tokens * site.dim;
    return cost;
  }
};

class Pool : public Attention {
 public:
  using Parts = PoolParts;

  Pool(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : around_(site, parts.size, tokens),
        steps_(around_.steps()),
        shares_(num::zeros(tokens, resources.kept)) {
    for (int i = 0; i < tokens && shares_.data() != nullptr; ++i) {
      shares_[at(i)] = 1.0F / static_cast<float>(around_.count(i));
    }
  }

  void forward(const parts::Weights& /*weights*/, ConstView x, View o) override {
    num::fill(o, 0.0F);
    for (const Step step : steps_) {
      each_mean(step, [&](const Stretch& s, float share) {
        num::add_scaled(
            row_block(x, s.from, s.count), share, row_block(o, s.to, s.count));
      });
    }
    num::add_scaled(x, -1.0F, o);
  }

  void backward(const parts::Weights& /*weights*/,
                ConstView /*x*/,
                ConstView d_o,
                View dx,
                parts::Values& /*gradient*/) override {
    num::fill(dx, 0.0F);
    // In reverse, so that sums run over tokens in order.
    for (const Step step : std::views::reverse(steps_)) {
      each_mean(step, [&](const Stretch& s, float share) {
        num::add_scaled(
            row_block(d_o, s.to, s.count), share, row_block(dx, s.from, s.count));
      });
      if (step.rows == 0 && step.cols == 0) {
        num::add_scaled(d_o, -1.0F, dx);
      }
    }
  }

  /// Keeps the last tokens, (size,width) floats, in a ring.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : last_(num::zeros(std::min(parts.size, tokens), site.dim, resources.kept)) {}

    void step(const parts::Weights& /*weights*/, ConstView x, View y) override {
      num::copy(x, row_block(last_, step_ % last_.rows, 1));
      ++step_;
      const int count = std::min(step_, last_.rows);
      num::fill(y, 0.0F);
      for (int j = step_ - count; j < step_; ++j) {  // oldest first, like forward()
        num::add_scaled(
            row_block(last_, j % last_.rows, 1), 1.0F / static_cast<float>(count), y);
      }
      num::add_scaled(x, -1.0F, y);
    }
    void restart() override { step_ = 0; }

   private:
    View last_;
    int step_ = 0;
  };

 private:
  /// Splits the pairs of an offset into stretches with equal shares.
  template <class Use>
  void each_mean(Step step, Use use) const {
    around_.each(step, [&](const Stretch& all) {
      for (int i = 0; i < all.count;) {
        const int begin = i;
        const float share = shares_[at(all.to + i)];
        for (++i; i < all.count && shares_[at(all.to + i)] == share; ++i) {
        }
        use(Stretch{all.to + begin, all.from + begin, i - begin}, share);
      }
    });
  }

  Neighbours around_;
  std::vector<Step> steps_;
  std::span<float> shares_;  // of each neighbour in a token's mean
};

std::string refusal_of_pool(const Site& site) {
  if (site.width != site.dim) {
    return "tokens of " + format(site.width) + " numbers must have " +
           format(site.dim) + " numbers, because it has no maps";
  }
  return options_of<PoolOptions>(site).size % 2 == 0 && !site.causal
             ? "size=" + format(options_of<PoolOptions>(site).size) +
                   " has no middle (expected an odd number)"
             : "";
}

}  // namespace

const Kind kPool{
    .name = "pool",
    .family = kKeylessFamily,
    .summary = "the mean of the neighbouring tokens, minus the token",
    .direction = Direction::Both,
    .options = options_from<PoolOptions>(),
    .refusal = &refusal_of_pool,
    .declare = &declare<Pool>,
};

}  // namespace oa::attention
