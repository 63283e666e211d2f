// PoolFormer's mixing (arXiv:2111.11418): the mean of the tokens around a token, less
// the token itself.  Around is a square on the grid of a picture, or what is near in a
// sequence; a causal layer takes the last tokens.  Beyond the border is nothing to
// average.  It has no parameters and costs 2 FLOPs for each token around and column.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct PoolOptions {
  int size = 3;

  static const FieldTable<PoolOptions>& fields() {
    static constexpr std::array kFields{
        field<&PoolOptions::size>("size",
                                  "Side of the square, or tokens in a row",
                                  {.range = {.low = 1, .high = 4097}})};
    static constexpr FieldTable<PoolOptions> kTable{"", kFields};
    return kTable;
  }
};

/// The tokens around each token.
class Neighbours {
 public:
  Neighbours(const Site& site, int size, int tokens)
      : tokens_(tokens),
        cols_(site.grid_cols > 0 && !site.causal ? site.grid_cols : tokens),
        across_(site.grid_cols > 0 && !site.causal ? size / 2 : 0),
        before_(site.causal ? size - 1 : size / 2),
        after_(site.causal ? 0 : size / 2) {}

  template <class Visit>
  void each(int token, Visit visit) const {
    const int row = token / cols_;
    const int col = token % cols_;
    for (int r = std::max(0, row - across_); r <= row + across_; ++r) {
      for (int c = std::max(0, col - before_); c <= std::min(cols_ - 1, col + after_);
           ++c) {
        const int other = r * cols_ + c;
        if (other < tokens_) {
          visit(other);
        }
      }
    }
  }

  [[nodiscard]] int count(int token) const {
    int n = 0;
    each(token, [&](int) { ++n; });
    return n;
  }

 private:
  int tokens_;
  int cols_;
  int across_;  // rows of the grid above and below
  int before_;
  int after_;
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

  Pool(const Site& site, const Parts& parts, int tokens, const Resources& /*resources*/)
      : around_(site, parts.size, tokens) {}

  void forward(const parts::Weights& /*weights*/, ConstView x, View o) override {
    for (int i = 0; i < x.rows; ++i) {
      const View to = one_row(o, i);
      num::fill(to, 0.0F);
      const float share = 1.0F / static_cast<float>(around_.count(i));
      around_.each(i, [&](int j) { num::add_scaled(one_row(x, j), share, to); });
      num::add_scaled(one_row(x, i), -1.0F, to);
    }
  }

  void backward(const parts::Weights& /*weights*/,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& /*gradient*/) override {
    num::fill(dx, 0.0F);
    for (int i = 0; i < x.rows; ++i) {
      const float share = 1.0F / static_cast<float>(around_.count(i));
      around_.each(
          i, [&](int j) { num::add_scaled(one_row(d_o, i), share, one_row(dx, j)); });
      num::add_scaled(one_row(d_o, i), -1.0F, one_row(dx, i));
    }
  }

  /// Keeps the last tokens, (size,width) floats, in a ring.
  class TokenByToken : public Decoder {
   public:
    TokenByToken(const Site& site,
                 const Parts& parts,
                 int tokens,
                 const Resources& resources)
        : last_(num::zeros(std::min(parts.size, tokens), site.dim, resources.kept)) {}

    void step(const parts::Weights& /*weights*/, ConstView x, View y) override {
      num::copy(x, one_row(last_, step_ % last_.rows));
      ++step_;
      const int count = std::min(step_, last_.rows);
      num::fill(y, 0.0F);
      for (int j = step_ - count; j < step_; ++j) {  // oldest first, as forward()
        num::add_scaled(
            one_row(last_, j % last_.rows), 1.0F / static_cast<float>(count), y);
      }
      num::add_scaled(x, -1.0F, y);
    }
    void restart() override { step_ = 0; }

   private:
    View last_;
    int step_ = 0;
  };

 private:
  template <class Matrix>
  static Matrix one_row(Matrix all, int i) {
    return {all.row(i), 1, all.cols, all.stride};
  }

  Neighbours around_;
};

std::string refusal_of_pool(const Site& site) {
  if (site.width != site.dim) {
    return "tokens of " + format(site.width) + " numbers would have to be of " +
           format(site.dim) + ": it has no maps";
  }
  return options_of<PoolOptions>(site).size % 2 == 0 && !site.causal
             ? "size=" + format(options_of<PoolOptions>(site).size) +
                   " has no middle (expected an odd number)"
             : "";
}

}  // namespace

const Kind kPool{
    .name = "pool",
    .summary = "the mean of the tokens around, less the token",
    .direction = Direction::Both,
    .options = options_from<PoolOptions>(),
    .refusal = &refusal_of_pool,
    .declare = &declare<Pool>,
};

}  // namespace oa::attention
