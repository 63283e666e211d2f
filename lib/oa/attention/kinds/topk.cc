// Softmax over the keys of the largest dot products: each query's k best (topk), or its
// single best (hard) with the gradient of softmax over all keys.  See
// kernel/sparse/topk.h and kernel/sparse/hard.h.
#include "oa/attention/kernel/sparse/topk.h"

#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/sparse/hard.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"

#include <algorithm>
#include <array>
#include <optional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct TopkOptions {
  static constexpr bool kHard = false;
  HeadOptions maps;
  int keep = 8;

  static std::span<const Field<TopkOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&TopkOptions::maps>(),
        std::array{field<&TopkOptions::keep>("k",
                                             "Number of keys that each query keeps",
                                             {.range = {.low = 1, .high = 1 << 20}})});
    return kFields;
  }
};

struct HardOptions {
  static constexpr bool kHard = true;
  static constexpr int keep = 1;
  HeadOptions maps;
  HeadKeys keys = HeadKeys::Separate;

  static std::span<const Field<HardOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&HardOptions::maps>(),
               std::array{field<&HardOptions::keys>(
                   "keys", "Source of the keys", {.value_name = "SOURCE"})});
    return kFields;
  }
};

/// Both kinds.  topk with one key is not hard, whose gradient reaches all keys.
struct TopkParts {
  HeadMaps maps;
  int keep;
  bool hard;

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{site.queries(tokens)};
    parts::Cost cost = maps.cost(tokens);
    std::int64_t kept = 0;
    for (int i = 0; i < n; ++i) {
      const int seen = site.causal ? i + 1 : site.keys(tokens);
      cost.pairs += seen;
      kept += std::min(keep, seen);
    }
    cost.forward += 2 * (cost.pairs + kept) * site.dim;
    cost.backward += (hard ? 14 * cost.pairs : 8 * kept) * site.dim;
    cost.exponentials = maps.heads() * kept;
    cost.traffic = 4 * (4 * n * site.dim);
    return cost;
  }
};

class Topk : public Attention {
 public:
  Topk(const Site& site, const TopkParts& parts, int tokens, const Resources& resources)
      : maps_(parts.maps),
        at_(maps_.workspace(tokens, resources)),
        transposed_(num::zeros(at_.k.cols, at_.k.rows, resources.scratch)),
        kept_(topk_kept(
            HeadsShape::of(heads()), parts.keep, site.causal, resources.kept)),
        scratch_(topk_scratch(kept_, resources.threads, resources.scratch)),
        threads_(resources.threads) {
    if (parts.hard && resources.backward) {
      sums_.log_sums = num::zeros(maps_.heads(), at_.q.rows, resources.kept);
      hard_ = hard_scratch(heads(), resources.threads, resources.scratch);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    maps_.forward(weights, x, at_);
    transpose_keys(heads(), transposed_, threads_);
    topk_forward(heads(), transposed_, at_.mixed, kept_, sums_, scratch_, threads_);
    maps_.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = maps_.begin_backward(weights, d_o, gradient, at_);
    const HeadsGradient to{.q = at_.dq, .k = at_.dk, .v = at_.dv};
    if (hard_) {
      hard_backward(heads(), kept_, sums_.log_sums, dmixed, to, *hard_, threads_);
    } else {
      topk_backward(heads(), kept_, dmixed, to, scratch_, threads_);
    }
    maps_.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }

  /// Keeps all keys and values: any of them may be the best.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const TopkParts& parts,
            int tokens,
            const Resources& resources)
        : maps_(parts.maps),
          cache_(maps_, tokens, resources, HeadsCache::Keys::Columns),
          kept_(topk_kept({.queries = 1, .keys = tokens, .heads = maps_.heads()},
                          parts.keep,
                          false,
                          resources.scratch)),
          scratch_(topk_scratch(kept_, 1, resources.scratch)) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      cache_.append(maps_, weights, x);
      const View mixed = cache_.token().mixed;
      TopkKept kept = kept_;
      kept.keys = cache_.tokens();
      topk_forward(
          cache_.heads(maps_), cache_.transposed_keys(), mixed, kept, {}, scratch_, 1);
      maps_.finish(weights, y, cache_.token());
    }
    void restart() override { cache_.clear(); }

   private:
    HeadMaps maps_;
    HeadsCache cache_;
    TopkKept kept_;
    TopkScratch scratch_;
  };

 private:
  HeadsView heads() const { return heads_of(maps_, at_); }

  HeadMaps maps_;
  HeadMaps::Workspace at_;
  View transposed_;  // keys
  TopkKept kept_;
  TopkSums sums_;
  TopkScratch scratch_;
  std::optional<HardScratch> hard_;
  int threads_;
};

template <class O>
class TopkOf : public Topk {
 public:
  struct Parts : TopkParts {
    Parts(const Site& site, parts::Layout& layout)
        : Parts(site, options_of<O>(site), layout) {}

   private:
    static KeySource source_of(const O& options) {
      if constexpr (O::kHard) {
        return attention::source_of(options.keys);
      } else {
        return KeySource::Separate;
      }
    }

    Parts(const Site& site, const O& options, parts::Layout& layout)
        : TopkParts{.maps = HeadMaps(
                        site, options.maps, layout, {.source = source_of(options)}),
                    .keep = options.keep,
                    .hard = O::kHard} {}
  };

  using Topk::Topk;
};

std::string refusal_of_hard(const Site& site) {
  const std::string keys = refusal_of_keys(site, options_of<HardOptions>(site).keys);
  return keys.empty() ? refusal_of_heads_at<HardOptions>(site) : keys;
}

template <class O>
constexpr Kind topk_kind(std::string_view name, std::string_view summary) {
  return {.name = name,
          .family = kChosenFamily,
          .summary = summary,
          .direction = Direction::Both,
          .takes_queries = true,
          .narrow_keys = true,
          .permutes = true,
          .options = options_from<O>(),
          .refusal = O::kHard ? &refusal_of_hard : &refusal_of_heads_at<O>,
          .declare = &declare<TopkOf<O>>};
}

}  // namespace

const Kind kTopk =
    topk_kind<TopkOptions>("topk", "softmax over the k best keys of each query");
const Kind kHard = topk_kind<HardOptions>(
    "hard", "the best key of each query, with the gradient of softmax");

}  // namespace oa::attention
