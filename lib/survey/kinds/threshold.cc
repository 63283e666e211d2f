#include "survey/kernel/fused/threshold.h"

#include "oa/attention/formula/formula_attention.h"
#include "oa/base/index.h"
#include "oa/num/gemm.h"
#include "survey/formula/softmax.h"
#include "survey/kernel/pattern/pattern_builder.h"
#include "survey/kernel/sparse/csr.h"
#include "survey/kernel/sparse/gather.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct ThresholdOptions {
  HeadOptions maps;
  double tau = 8.0;

  static std::span<const Field<ThresholdOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&ThresholdOptions::maps>(),
               std::array{field<&ThresholdOptions::tau>(
                   "tau",
                   "Largest distance of a kept logit from the largest one",
                   {.range = {.low = 0}})});
    return kFields;
  }
};

/// Softmax over keys with logits near the maximum; a decoder keeps all keys.
class ThresholdSoftmax : public HeadsOperation {
 public:
  ThresholdSoftmax(const Heads& of, double tau)
      : HeadsOperation(of, {.name = "threshold_softmax", .settings = {{"tau", tau}}}),
        tau_(static_cast<float>(tau)),
        all_(formula().works() ? full_pattern(formula()) : Pattern::all(0, 0)) {}

  /// The cost if all keys are kept: an upper bound.
  parts::Cost cost() const override { return softmax_cost(heads(), all_); }
  void reserve(const Arenas& arenas) override {
    const int tokens = formula().tokens_of_sequence();
    Arena& scratch = arenas.scratch;
    if (formula().decodes()) {
      cache_ = KeyCache(heads(), tokens, arenas.state, KeyCache::Keys::Columns);
      list_ = csr_scratch(Pattern::all(1, tokens), 1, scratch);
      logits_ = num::zeros(1, tokens, scratch);
      return;
    }
    const HeadsShape shape = HeadsShape::of(heads().shapes());
    const int threads = formula().threads();
    scratch_.emplace(shape, plan_threshold(), threads, scratch);
    if (arenas.backward) {
      log_sums_ = num::zeros(heads().heads, rows(), arenas.kept);
      HeadsShape one = shape;
      one.heads = one.groups = 1;
      gradient_.emplace(one, threads, scratch);
      transposed_keys_ = num::zeros(heads().width(), in(1).rows, scratch);
      logits_ = num::zeros(std::min(kAtOnce, rows()), in(1).rows, scratch);
    }
  }

  void forward(const ForwardRun& run) override {
    if (formula().decodes()) {
      step(run.token, view(run.in), run.out);
    } else {
      met_ = threshold_forward(view(run.in), all_, tau_, run.out, log_sums_, *scratch_);
    }
  }
  void backward(const BackwardRun& run) override {
    const int d = heads().width();
    const HeadsGradient to = gradient(run);
    for (int h = 0; h < heads().heads; ++h) {
      const HeadsView one = head(view(run.in), h);
      fused_backward(one,
                     kept(one),
                     columns(run.out, h * d, d),
                     row_block(ConstView(log_sums_), h, 1),
                     columns(ConstView(run.d_out), h * d, d),
                     columns(to.q, h * d, d),
                     columns(to.k, h * d, d),
                     columns(to.v, h * d, d),
                     *gradient_);
    }
  }

  std::vector<Count> counts() const override {
    std::vector<Count> all = counts_of(*scratch_, all_);
    all.push_back({"tiles", met_.tiles});
    all.push_back({"skipped_tiles", met_.skipped});
    return all;
  }

 private:
  static HeadsView head(const HeadsView& all, int h) {
    const int d = all.width();
    return {.q = columns(all.q, h * d, d),
            .k = columns(all.k, h * d, d),
            .v = columns(all.v, h * d, d),
            .heads = 1,
            .groups = 1,
            .scale = all.scale};
  }

  void step(int token, const HeadsView& given, View mixed) const {
    cache_.put(token, given);
    const HeadsView all = cache_.heads(given, token + 1);
    const ConstView keys = cache_.transposed_keys(token + 1);
    const int d = given.width();
    for (int h = 0; h < given.heads; ++h) {
      const View logits = columns(logits_, 0, token + 1);
      num::matmul(
          columns(all.q, h * d, d), row_block(keys, h * d, d), logits, all.scale);
      const std::size_t count = keep_largest({logits.row(0), at(logits.cols)});
      const auto weights_of_kept = list_.weights.first(count);
      (void)softmax_in_place(weights_of_kept);
      gather_sum(weights_of_kept,
                 columns(all.v, h * d, d),
                 list_.keys.first(count),
                 mixed.row(0) + h * d);
    }
  }

  /// Lists the kept keys with their logits, and returns their number.  Keeps NaN, so
  /// that the output is NaN.
  std::size_t keep_largest(std::span<const float> logits) const {
    const float least = *std::ranges::max_element(logits) - tau_;
    std::size_t count = 0;
    for (std::size_t j = 0; j < logits.size(); ++j) {
      list_.keys[count] = static_cast<int>(j);
      list_.weights[count] = logits[j];
      count += logits[j] < least ? 0 : 1;
    }
    return count;
  }

  /// The keys that forward kept for a head.
  Pattern kept(const HeadsView& one) const {
    PatternBuilder builder(one.k.rows);
    num::transpose(one.k, transposed_keys_);
    for (int first = 0; first < one.q.rows; first += kAtOnce) {
      const View logits = logits_.top(std::min(kAtOnce, one.q.rows - first));
      num::matmul(
          row_block(one.q, first, logits.rows), transposed_keys_, logits, one.scale);
      for (int i = 0; i < logits.rows; ++i) {
        const Run seen = all_.band_row(first + i);
        const std::span<const float> row(logits.row(i) + seen.begin,
                                         at(seen.end - seen.begin));
        const float least = row.empty() ? 0.0F : *std::ranges::max_element(row) - tau_;
        const auto stays = [least](float logit) { return logit >= least; };
        for (auto end = row.begin(); end != row.end();) {
          const auto begin = std::find_if(end, row.end(), stays);
          end = std::find_if_not(begin, row.end(), stays);
          builder.see(seen.begin + (begin - row.begin()),
                      seen.begin + (end - row.begin()));
        }
        builder.end_query();
      }
    }
    return builder.take();
  }

  // Number of queries whose logits are computed together.
  static constexpr int kAtOnce = 24;

  float tau_;
  Pattern all_;
  std::optional<FusedScratch> scratch_;
  ThresholdCount met_;
  std::optional<GradientScratch> gradient_;
  View log_sums_;
  View transposed_keys_;  // keys of a head
  View logits_;
  KeyCache cache_;  // of a decoder
  CsrScratch list_;
};

Value threshold(Formula& f, const ThresholdOptions& o) {
  const HeadLayer layer(f.tokens(), o.maps);
  return layer.output(f.apply<ThresholdSoftmax>(layer.heads(), o.tau));
}

}  // namespace

const Kind kThreshold = formula_kind<ThresholdOptions, threshold>({
    .name = "threshold",
    .family = kChosenFamily,
    .summary = "softmax over keys with logits near the largest",
    .direction = Direction::Both,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
});

}  // namespace oa::attention
