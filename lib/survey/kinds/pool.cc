#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/kernel/heads.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/num/rows.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
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

/// A range of tokens of a row, to .. to+count-1, which see from .. from+count-1.
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

  /// Visits all pairs of tokens with one offset.
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

  /// Calls visit(begin, end) for each run of neighbours.
  template <class Visit>
  void each_run(int token, Visit visit) const {
    const int row = token / cols_;
    const int col = token % cols_;
    for (int r = std::max(0, row - across_); r <= row + across_; ++r) {
      const int first = std::max(0, col - before_);
      const int last = std::max(first, std::min(width(r), col + after_ + 1));
      visit(r * cols_ + first, r * cols_ + last);
    }
  }
  [[nodiscard]] int count(int token) const {
    int n = 0;
    each_run(token, [&](int begin, int end) { n += end - begin; });
    return n;
  }

 private:
  // The number of tokens in a row; the last row may be short.
  [[nodiscard]] int width(int row) const {
    return std::clamp(tokens_ - row * cols_, 0, cols_);
  }

  // Offsets do not exceed the size of the picture.
  int tokens_;
  int cols_ = 1;
  int across_ = 0;  // rows of the neighbourhood above and below
  int before_ = 0;
  int after_ = 0;
};

/// Means over neighbours.  A decoder keeps the last tokens in a ring.
class PooledTokens : public Operation {
 public:
  PooledTokens(Value x, int size)
      : Operation({.name = "pool",
                   .in = {x},
                   .rows = x.rows,
                   .cols = x.cols,
                   .settings = {{"size", size}}}),
        decodes_(x.formula->decodes()),
        ring_(std::min(size, x.formula->tokens_of_sequence())),
        around_(x.formula->site(), size, x.rows) {}

  std::vector<Setting> tables() const override {
    std::vector<std::vector<int>> pattern(at(rows()));
    for (int i = 0; i < rows(); ++i) {
      around_.each_run(i, [&](int begin, int end) {
        pattern[at(i)].insert(pattern[at(i)].end(), {begin, end});
      });
    }
    return {{"pattern", pattern}};
  }
  parts::Cost cost() const override {
    parts::Cost cost;
    for (int i = 0; i < rows(); ++i) {
      cost.pairs += around_.count(i);
    }
    cost.forward = cost.backward = 2 * cost.pairs * cols();
    cost.traffic = std::int64_t{8} * rows() * cols();
    return cost;
  }
  void reserve(const Arenas& arenas) override {
    steps_ = around_.steps();
    shares_ = num::zeros(rows(), arenas.kept);
    for (int i = 0; i < rows() && shares_.data() != nullptr; ++i) {
      shares_[at(i)] = 1.0F / static_cast<float>(around_.count(i));
    }
  }
  std::int64_t state() const override {
    return decodes_ ? std::int64_t{ring_} * num::padded(cols()) : 0;
  }

  void forward(const ForwardRun& run) override {
    num::fill(run.out, 0.0F);
    if (decodes_) {
      step(run);
    } else {
      for (const Step step : steps_) {
        each_mean(step, [&](const Stretch& s, float share) {
          num::add_scaled(row_block(run.in[0], s.from, s.count),
                          share,
                          row_block(run.out, s.to, s.count));
        });
      }
    }
    num::add_scaled(run.in[0], -1.0F, run.out);
  }
  void backward(const BackwardRun& run) override {
    const View dx = run.d_in[0].d;
    num::fill(dx, 0.0F);
    // Visits offsets in reverse, so that sums run over tokens in order.
    for (const Step step : std::views::reverse(steps_)) {
      each_mean(step, [&](const Stretch& s, float share) {
        num::add_scaled(
            row_block(run.d_out, s.to, s.count), share, row_block(dx, s.from, s.count));
      });
      if (step.rows == 0 && step.cols == 0) {
        num::add_scaled(run.d_out, -1.0F, dx);
      }
    }
  }

 private:
  void step(const ForwardRun& run) const {
    const View last{run.state.data(), ring_, cols(), num::padded(cols())};
    num::copy(run.in[0], row_block(last, run.token % ring_, 1));
    const int known = run.token + 1;
    const int count = std::min(known, ring_);
    for (int j = known - count; j < known; ++j) {  // oldest first, as in forward()
      num::add_scaled(
          row_block(last, j % ring_, 1), 1.0F / static_cast<float>(count), run.out);
    }
  }

  /// Divides the pairs of an offset into stretches with equal shares.
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

  bool decodes_;
  int ring_;  // rows of the ring
  Neighbours around_;
  std::vector<Step> steps_;
  std::span<float> shares_;  // of each neighbour in a token's mean
};

Value pool(Formula& f, const PoolOptions& o) {
  const Value x = f.tokens();
  f.require(x.cols == f.dim(),
            "tokens of " + format(x.cols) + " numbers must have " + format(f.dim()) +
                " numbers, because it has no maps");
  f.require(o.size % 2 == 1 || f.causal(),
            "size=" + format(o.size) + " has no middle (expected an odd number)");
  return f.apply<PooledTokens>(x, o.size);
}

}  // namespace

const Kind kPool = formula_kind<PoolOptions, pool>({
    .name = "pool",
    .family = kKeylessFamily,
    .summary = "the mean of the neighbouring tokens, minus the token",
    .direction = Direction::Both,
});

}  // namespace oa::attention
