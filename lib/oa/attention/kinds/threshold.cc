// Softmax over the keys whose logit is at least the query's largest minus tau; the
// weights of the others are below exp(-tau) of the largest.  Backward takes the choice
// as constant.  See kernel/fused/threshold.h.  If all keys are kept it costs as much as
// flash2 plus the scores once more.
#include "oa/attention/kernel/fused/threshold.h"

#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/pattern/pattern_builder.h"
#include "oa/attention/kernel/sparse/csr.h"
#include "oa/attention/kernel/sparse/gather.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/masked.h"
#include "oa/base/index.h"
#include "oa/num/gemm.h"

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

struct ThresholdParts {
  ThresholdOptions options;
  HeadMaps maps;

  ThresholdParts(const Site& site, parts::Layout& layout)
      : options(options_of<ThresholdOptions>(site)),
        maps(site, options.maps, layout) {}

  /// The cost with all keys kept, an upper bound.
  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    return maps.cost(tokens) + masked_cost(maps, full_pattern(site, tokens), site.dim);
  }
};

class Threshold : public Attention {
 public:
  using Parts = ThresholdParts;

  Threshold(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
      : parts_(parts),
        all_(full_pattern(site, tokens)),
        at_(parts.maps.workspace(tokens, resources)),
        scratch_(HeadsShape::of(heads()),
                 plan_fused(HeadsShape::of(heads())),
                 resources.threads,
                 resources.scratch) {
    if (resources.backward) {
      log_sums_ = num::zeros(parts.maps.heads(), at_.q.rows, resources.kept);
      const HeadsShape one = HeadsShape::of(head(0));
      gradient_.emplace(one, resources.threads, resources.scratch);
      const int keys = at_.k.rows;
      transposed_keys_ = num::zeros(parts.maps.head_dim(), keys, resources.scratch);
      logits_ = num::zeros(std::min(kAtOnce, at_.q.rows), keys, resources.scratch);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    met_ = threshold_forward(heads(),
                             all_,
                             static_cast<float>(parts_.options.tau),
                             at_.mixed,
                             log_sums_,
                             scratch_);
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    const int d = parts_.maps.head_dim();
    for (int h = 0; h < parts_.maps.heads(); ++h) {
      fused_backward(head(h),
                     kept(head(h)),
                     columns(ConstView(at_.mixed), h * d, d),
                     row_block(ConstView(log_sums_), h, 1),
                     columns(dmixed, h * d, d),
                     columns(at_.dq, h * d, d),
                     columns(at_.dk, h * d, d),
                     columns(at_.dv, h * d, d),
                     *gradient_);
    }
    parts_.maps.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }

  std::vector<Count> counts() const override {
    std::vector<Count> all = counts_of(scratch_.fused(), all_);
    all.push_back({"tiles", met_.tiles});
    all.push_back({"skipped_tiles", met_.skipped});
    return all;
  }

  /// Keeps all keys and values: any of them may be the best.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : parts_(parts),
          cache_(parts.maps, tokens, resources, HeadsCache::Keys::Columns),
          list_(csr_scratch(Pattern::all(1, tokens), 1, resources.scratch)),
          logits_(num::zeros(1, tokens, resources.scratch)) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      cache_.append(parts_.maps, weights, x);
      const HeadsView heads = cache_.heads(parts_.maps);
      const int d = heads.width();
      for (int h = 0; h < heads.heads; ++h) {
        const View logits = columns(logits_, 0, cache_.tokens());
        num::matmul(columns(heads.q, h * d, d),
                    row_block(cache_.transposed_keys(), h * d, d),
                    logits,
                    heads.scale);
        const std::size_t count = keep_largest({logits.row(0), at(logits.cols)});
        const auto weights_of_kept = list_.weights.first(count);
        (void)softmax_in_place(weights_of_kept);
        gather_sum(weights_of_kept,
                   columns(heads.v, h * d, d),
                   list_.keys.first(count),
                   cache_.token().mixed.row(0) + h * d);
      }
      parts_.maps.finish(weights, y, cache_.token());
    }
    void restart() override { cache_.clear(); }

   private:
    /// Lists the kept keys and their logits, and returns their number.  NaN is kept, so
    /// that the output is NaN.
    std::size_t keep_largest(std::span<const float> logits) const {
      const float least =
          *std::ranges::max_element(logits) - static_cast<float>(parts_.options.tau);
      std::size_t count = 0;
      for (std::size_t j = 0; j < logits.size(); ++j) {
        list_.keys[count] = static_cast<int>(j);
        list_.weights[count] = logits[j];
        count += logits[j] < least ? 0 : 1;
      }
      return count;
    }

    Parts parts_;
    HeadsCache cache_;
    CsrScratch list_;
    View logits_;
  };

 private:
  HeadsView heads() const { return heads_of(parts_.maps, at_); }

  HeadsView head(int h) const {
    const int d = parts_.maps.head_dim();
    return {.q = columns(ConstView(at_.q), h * d, d),
            .k = columns(ConstView(at_.k), h * d, d),
            .v = columns(ConstView(at_.v), h * d, d),
            .heads = 1,
            .groups = 1,
            .scale = parts_.maps.scale()};
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
        const float least = row.empty() ? 0.0F
                                        : *std::ranges::max_element(row) -
                                              static_cast<float>(parts_.options.tau);
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

  // Queries whose logits are computed together.
  static constexpr int kAtOnce = 24;

  Parts parts_;
  Pattern all_;
  HeadMaps::Workspace at_;
  ThresholdScratch scratch_;
  ThresholdCount met_;
  std::optional<GradientScratch> gradient_;
  View log_sums_;
  View transposed_keys_;  // of a head
  View logits_;
};

}  // namespace

const Kind kThreshold{
    .name = "threshold",
    .family = kChosenFamily,
    .summary = "softmax over keys with logits near the largest",
    .direction = Direction::Both,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
    .options = options_from<ThresholdOptions>(),
    .refusal = &refusal_of_heads_at<ThresholdOptions>,
    .declare = &declare<Threshold>,
};

}  // namespace oa::attention
