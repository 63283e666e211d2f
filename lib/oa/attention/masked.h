#pragma once

#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/decode/decode.h"
#include "oa/attention/kernel/pattern/patterns.h"
#include "oa/attention/kernel/sparse/csr.h"
#include "oa/attention/layer_of.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oa::attention {

/// An ExactCore between maps.  Saves q, k, v, the output of the heads, and for each
/// query and head the logarithm of its sum.
class MaskedAttention : public Attention {
 public:
  MaskedAttention(const HeadMaps& maps,
                  Pattern pattern,
                  int tokens,
                  const Resources& resources,
                  const ExactSettings& settings = {});

  void forward(const parts::Weights& weights, num::ConstView x, num::View o) override;
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient) override;

  [[nodiscard]] num::ConstView queries() const override { return at_.q; }
  [[nodiscard]] num::ConstView values() const override { return at_.v; }
  [[nodiscard]] std::vector<Count> counts() const override { return core_.counts(); }
  [[nodiscard]] std::vector<num::Matrix> value_weights() const override;

 private:
  HeadMaps maps_;
  HeadMaps::Workspace at_;
  ExactCore core_;
  Precision precision_;
};

/// The same with tokens in another order: inputs are permuted, outputs permuted back.
class ReorderedAttention : public Attention {
 public:
  ReorderedAttention(const Site& site,
                     const HeadMaps& maps,
                     OrderedPattern ordered,
                     const Resources& resources);

  /// True if it is faster than the original order.
  [[nodiscard]] static bool pays(const Pattern& ordered, bool causal);

  void forward(const parts::Weights& weights, num::ConstView x, num::View o) override;
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient) override;

  [[nodiscard]] num::ConstView queries() const override { return inner_.queries(); }
  [[nodiscard]] num::ConstView values() const override { return inner_.values(); }
  [[nodiscard]] std::vector<Count> counts() const override { return inner_.counts(); }
  [[nodiscard]] std::vector<num::Matrix> value_weights() const override;

 private:
  void put_in_order(num::ConstView from, num::View to) const;
  void put_back(num::ConstView from, num::View to) const;

  std::vector<int> order_;
  MaskedAttention inner_;
  num::View x_;
  num::View o_;
  num::View dx_;
};

/// Masked attention token by token.  Its cache holds all earlier keys and values, or
/// those in reach of a window.
class MaskedDecoder : public Decoder {
 public:
  MaskedDecoder(const HeadMaps& maps,
                OrderedPattern ordered,
                int tokens,
                const Resources& resources,
                CacheNumbers numbers = CacheNumbers::Float);

  void step(const parts::Weights& weights, num::ConstView x, num::View y) override;
  void restart() override { cache_.clear(); }

  /// Replaces the pattern by another one that is no band, before the first step.
  void use(Pattern pattern) { pattern_ = std::move(pattern); }

  /// The two halves of a step: the output of the heads for x, in the decoder's memory,
  /// and y from that.
  [[nodiscard]] num::View mix(const parts::Weights& weights, num::ConstView x);
  void finish(const parts::Weights& weights, num::View y) const;

 private:
  HeadMaps maps_;
  Pattern pattern_;
  std::vector<int> place_;  // of each token in the pattern; empty: the original order
  HeadsCache cache_;        // only the last token, if the pattern is a band
  std::optional<DecodeCache> band_;  // keys and values, if the pattern is a band
  DecodeScratch scratch_;
  std::optional<CsrScratch> list_;  // if the pattern is no band
  int threads_;
};

/// The cost of masked attention without its maps: for z pairs 4zD FLOPs and Hz
/// exponentials; backward 10zD, because weights are computed again.  Each tile of
/// queries reads all keys and values that it sees.
[[nodiscard]] parts::Cost masked_cost(const HeadMaps& maps,
                                      const Pattern& pattern,
                                      int dim);

/// The pattern of attention to all tokens, or to all before in causal layers.
[[nodiscard]] Pattern full_pattern(const Site& site, int tokens);

/// The pattern of the options in another order of tokens, if one is faster.
template <class O>
[[nodiscard]] std::optional<OrderedPattern> paying_order(const O& options,
                                                         const Site& site,
                                                         int tokens) {
  if constexpr (requires { options.ordered(site, tokens); }) {
    std::optional<OrderedPattern> ordered = options.ordered(site, tokens);
    if (ordered && ReorderedAttention::pays(ordered->pattern, site.causal)) {
      return ordered;
    }
  }
  return std::nullopt;
}

/// That, or the pattern in the original order.
template <class O>
[[nodiscard]] OrderedPattern best_order(const O& options,
                                        const Site& site,
                                        int tokens) {
  if (std::optional<OrderedPattern> ordered = paying_order(options, site, tokens)) {
    return std::move(*ordered);
  }
  if constexpr (requires { options.pattern(site, tokens); }) {
    return {options.pattern(site, tokens)};
  } else {
    return {full_pattern(site, tokens)};
  }
}

/// The layer of a kind with options O that decide which keys a query sees.  O has
///   HeadOptions maps;
/// and optionally
///   Pattern pattern(const Site& site, int tokens) const;
///   std::optional<OrderedPattern> ordered(const Site& site, int tokens) const;
///   int groups() const;  ExactSettings settings() const;  CacheNumbers cache;
template <class O>
class Masked {
 public:
  struct Parts {
    O options;
    HeadMaps maps;

    Parts(const Site& site, parts::Layout& layout)
        : options(options_of<O>(site)),
          maps(site, options.maps, groups_of(options), layout) {}

    [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
      return maps.cost(tokens) +
             masked_cost(maps, best_order(options, site, tokens).pattern, site.dim);
    }
  };

  struct Decoder : MaskedDecoder {
    Decoder(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : MaskedDecoder(parts.maps,
                        best_order(parts.options, site, tokens),
                        tokens,
                        resources,
                        numbers_of(parts.options)) {}
  };

  [[nodiscard]] static std::unique_ptr<Attention> make(const Site& site,
                                                       const Parts& parts,
                                                       int tokens,
                                                       const Resources& resources) {
    OrderedPattern ordered = best_order(parts.options, site, tokens);
    if (!ordered.order.empty()) {
      return std::make_unique<ReorderedAttention>(
          site, parts.maps, std::move(ordered), resources);
    }
    return std::make_unique<MaskedAttention>(parts.maps,
                                             std::move(ordered.pattern),
                                             tokens,
                                             resources,
                                             settings_of(parts.options));
  }

 private:
  static CacheNumbers numbers_of(const O& options) {
    if constexpr (requires { options.cache; }) {
      return options.cache;
    } else {
      return CacheNumbers::Float;
    }
  }
  static ExactSettings settings_of(const O& options) {
    if constexpr (requires { options.settings(); }) {
      return options.settings();
    } else {
      return {};
    }
  }
};

}  // namespace oa::attention
