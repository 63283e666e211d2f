#include "survey/formula/softmax.h"

#include "oa/base/index.h"
#include "oa/num/rows.h"
#include "survey/formula/masked.h"
#include "survey/kernel/fused/fused.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// The number of keys that a decoder with this band must remember.
int remembered(const Pattern& pattern) {
  int most = 0;
  for (int i = 0; i < pattern.queries(); ++i) {
    most = std::max(most, i + 1 - pattern.band_row(i).begin);
  }
  return most;
}

std::vector<Run> runs_of(const Pattern& pattern, int query) {
  if (pattern.is_band()) {
    return {pattern.band_row(query)};
  }
  const std::span<const Run> runs = pattern.runs(query);
  return {runs.begin(), runs.end()};
}

View copy_in(Arena& arena, ConstView from) {
  const View to = num::zeros(from.rows, from.cols, arena);
  copy_rows(from, to);
  return to;
}

std::vector<Value> others_of(const FusedSettings& settings) {
  return settings.factor ? std::vector{*settings.factor} : std::vector<Value>{};
}

class FusedSoftmax : public HeadsOperation {
 public:
  FusedSoftmax(const Heads& of, OrderedPattern pattern, const FusedSettings& settings)
      : HeadsOperation(of, {.name = "fused_softmax", .others = others_of(settings)}),
        pattern_(std::move(pattern)),
        settings_(settings) {}

  std::vector<Setting> tables() const override {
    return {table_of("pattern", pattern_.pattern)};
  }
  parts::Cost cost() const override { return softmax_cost(heads(), pattern_.pattern); }
  void reserve(const Arenas& arenas) override {
    if (formula().decodes()) {
      cached_.emplace(heads(), pattern_, arenas, settings_.cache);
      return;
    }
    core_.emplace(HeadsShape::of(heads().shapes()),
                  pattern_.pattern,
                  Resources{.kept = arenas.kept,
                            .scratch = arenas.scratch,
                            .backward = arenas.backward,
                            .threads = formula().threads()},
                  settings_.core);
    precision_ = arenas.backward ? Precision::Float : settings_.core.precision;
  }
  std::size_t temporary(bool backward) const override {
    return backward || precision_ == Precision::Float
               ? 0
               : bytes_of(in(0).rows, in(0).cols) +
                     2 * bytes_of(in(1).rows, in(1).cols);
  }

  void forward(const ForwardRun& run) override {
    const HeadsView given = scaled(run.in);
    if (cached_) {
      cached_->step(run.token, given, run.out);
    } else if (precision_ == Precision::Float) {
      core_->forward(given, run.out);
    } else {
      const View q = copy_in(run.temporary, given.q);
      const View k = copy_in(run.temporary, given.k);
      const View v = copy_in(run.temporary, given.v);
      round_heads(precision_, given.width(), q, k, v);
      HeadsView rounded = given;
      rounded.q = q;
      rounded.k = k;
      rounded.v = v;
      core_->forward(rounded, run.out);
    }
  }
  void backward(const BackwardRun& run) override {
    core_->backward(scaled(run.in), run.out, run.d_out, gradient(run));
    if (settings_.factor) {
      // The gradient of the factor is q . dq / factor: logits are linear in both.
      const float factor = run.in[3](0, 0);
      run.d_in[3].d(0, 0) =
          factor == 0.0F
              ? 0.0F
              : static_cast<float>(num::dot(run.in[0], run.d_in[0].d)) / factor;
    }
  }

  std::vector<Count> counts() const override {
    return core_ ? core_->counts() : std::vector<Count>{};
  }
  std::vector<num::Matrix> value_weights(std::span<const ConstView> in) const override {
    if (formula().queries() != this->in(0).id || formula().values() != this->in(2).id) {
      return {};  // outputs are weighted sums of other values
    }
    std::vector<num::Matrix> all = softmax_weights(scaled(in), core_->pattern());
    for (num::Matrix& weights : all) {
      weights = in_time(std::move(weights));
    }
    return all;
  }

 private:
  [[nodiscard]] HeadsView scaled(std::span<const ConstView> in) const {
    HeadsView all = view(in);
    all.scale *= settings_.factor ? in[3](0, 0) : 1.0F;
    return all;
  }
  [[nodiscard]] num::Matrix in_time(num::Matrix ordered) const {
    const std::vector<int>& order = pattern_.order;
    if (order.empty()) {
      return ordered;
    }
    num::Matrix weights(ordered.rows(), ordered.cols());
    for (int p = 0; p < ordered.rows(); ++p) {
      for (int k = 0; k < ordered.cols(); ++k) {
        weights(order[at(p)], order[at(k)]) = ordered(p, k);
      }
    }
    return weights;
  }

  OrderedPattern pattern_;
  FusedSettings settings_;
  std::optional<ExactCore> core_;
  std::optional<CachedSoftmax> cached_;  // also has the keys and values of a decoder
  Precision precision_ = Precision::Float;
};

/// The operation that permutes rows.
class Permuted : public Operation {
 public:
  /// Row p of the output is row order[p] of x; if `back`, row order[p] is row p of x.
  Permuted(Value x, std::vector<int> order, bool back)
      : Operation({.name = back ? "in_time" : "in_positions",
                   .in = {x},
                   .rows = x.rows,
                   .cols = x.cols}),
        order_(std::move(order)),
        back_(back) {}

  std::vector<Setting> tables() const override { return {{"order", {order_}}}; }
  void forward(const ForwardRun& run) override { move(run.in[0], back_, run.out); }
  void backward(const BackwardRun& run) override {
    move(run.d_out, !back_, run.d_in[0].d);
  }

 private:
  void move(ConstView from, bool back, View to) const {
    for (int p = 0; p < from.rows; ++p) {
      const int token = order_[at(p)];
      std::copy_n(from.row(back ? p : token), from.cols, to.row(back ? token : p));
    }
  }

  std::vector<int> order_;
  bool back_;
};

}  // namespace

Setting table_of(std::string_view name, const Pattern& pattern) {
  std::vector<std::vector<int>> rows;
  for (int q = 0; q < pattern.queries(); ++q) {
    std::vector<int>& row = rows.emplace_back();
    for (const Run& run : runs_of(pattern, q)) {
      row.insert(row.end(), {run.begin, run.end});
    }
  }
  return {name, rows};
}

CachedSoftmax::CachedSoftmax(const Heads& heads,
                             OrderedPattern ordered,
                             const Arenas& arenas,
                             CacheNumbers numbers)
    : pattern_(std::move(ordered.pattern)),
      threads_(heads.q.formula->threads()),
      place_(ordered.order.size()) {
  assert(numbers == CacheNumbers::Float || pattern_.is_band());
  for (int p = 0; p < std::ssize(place_); ++p) {
    place_[at(ordered.order[at(p)])] = p;
  }
  // A cache of a band would store keys that are also values twice.
  if (pattern_.is_band() && heads.k.id != heads.v.id) {
    band_.emplace(
        remembered(pattern_), heads.groups, heads.width(), numbers, arenas.state);
    scratch_.emplace(heads.heads, heads.width(), arenas.scratch);
  } else {
    const int tokens = pattern_.keys();
    cache_ = KeyCache(heads, tokens, arenas.state);
    list_ = csr_scratch(Pattern::all(1, tokens), 1, arenas.scratch);
  }
}

void CachedSoftmax::step(int token, const HeadsView& heads, View mixed) {
  assert(token < pattern_.queries());
  const auto numbers = [](ConstView row) {
    return std::span(row.row(0), at(row.cols));
  };
  if (band_) {
    band_->put(token % band_->rows(), numbers(heads.k), numbers(heads.v));
    decode({.q = numbers(heads.q),
            .heads = heads.heads,
            .groups = heads.groups,
            .scale = heads.scale},
           *band_,
           std::min(token + 1, band_->rows()),
           {mixed.row(0), at(mixed.cols)},
           threads_,
           *scratch_);
    return;
  }
  const int place = place_.empty() ? token : place_[at(token)];
  cache_.put(place, heads);
  const std::vector<Run> runs = runs_of(pattern_, place);
  const auto seen = Pattern::of_runs(pattern_.keys(), {0, std::ssize(runs)}, runs);
  csr_forward(cache_.heads(heads, pattern_.keys()), seen, mixed, {}, *list_, 1);
}

parts::Cost softmax_cost(const Heads& heads, const Pattern& pattern) {
  HeadsShape shape = HeadsShape::of(heads.shapes());
  shape.queries = pattern.queries();
  shape.keys = pattern.keys();
  const int rows = plan_fused(shape).rows;
  const std::int64_t dim = heads.q.cols;
  const std::int64_t n = pattern.queries();
  std::int64_t read = 0;  // rows of keys read by all tiles
  for (std::int64_t q = 0; q < n; q += rows) {
    const auto last = static_cast<int>(std::min(n, q + rows)) - 1;
    read += pattern.is_band()
                ? std::max(0,
                           pattern.band_row(last).end -
                               pattern.band_row(static_cast<int>(q)).begin)
                : pattern.keys();
  }
  parts::Cost cost;
  cost.pairs = pattern.pairs();
  cost.forward = 4 * cost.pairs * dim;
  cost.backward = 10 * cost.pairs * dim;
  cost.exponentials = heads.heads * cost.pairs;
  cost.traffic = 4 * (2 * n * dim + 2 * read * heads.k.cols);
  return cost;
}

Pattern full_pattern(const Formula& f) {
  const int tokens = f.tokens_of_sequence();
  return f.causal() ? Pattern::causal(tokens)
                    : Pattern::all(f.site().queries(tokens), f.site().keys(tokens));
}

bool order_pays(const Pattern& pattern, bool causal) {
  // In the original order, kernels compute all tiles, or gather single pairs.
  // A gathered pair takes about 6 times as long as a pair in a tile.
  constexpr int kTile = 64;
  const std::int64_t n = pattern.keys();
  const std::int64_t all = causal ? n * (n + kTile) / 2 : n * n;
  return block_pairs(pattern, kTile) < std::min(all, 6 * pattern.pairs());
}

Value fused_softmax(const Heads& heads,
                    OrderedPattern pattern,
                    const FusedSettings& settings) {
  return heads.q.formula->apply<FusedSoftmax>(heads, std::move(pattern), settings);
}

Value in_positions(Value x, const std::vector<int>& order) {
  return order.empty() || x.formula->decodes()
             ? x
             : x.formula->apply<Permuted>(x, order, false);
}

Value from_positions(Value x, const std::vector<int>& order) {
  return order.empty() || x.formula->decodes()
             ? x
             : x.formula->apply<Permuted>(x, order, true);
}

}  // namespace oa::attention
