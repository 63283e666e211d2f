#pragma once

#include "survey/formula/softmax.h"

#include <optional>
#include <utility>

namespace oa::attention {

/// True if attention over a pattern is faster after reordering the tokens.
[[nodiscard]] bool order_pays(const Pattern& ordered, bool causal);

/// The reordered pattern of the options O, if reordering makes attention faster.
template <class O>
[[nodiscard]] std::optional<OrderedPattern> paying_order(const O& options,
                                                         const Site& site,
                                                         int tokens) {
  if constexpr (requires { options.ordered(site, tokens); }) {
    std::optional<OrderedPattern> ordered = options.ordered(site, tokens);
    if (ordered && order_pays(ordered->pattern, site.causal)) {
      return ordered;
    }
  }
  return std::nullopt;
}

/// Returns the pattern of paying_order(), or else in the original order.
template <class O>
[[nodiscard]] OrderedPattern best_order(const O& options, const Formula& f) {
  const Site& site = f.site();
  const int tokens = f.tokens_of_sequence();
  if (std::optional<OrderedPattern> ordered = paying_order(options, site, tokens)) {
    return std::move(*ordered);
  }
  if constexpr (requires { options.pattern(site, tokens); }) {
    return {options.pattern(site, tokens)};
  } else {
    return {full_pattern(f)};
  }
}

/// Softmax over the pattern given by O, the options of a kind.  O must have
///   HeadOptions maps;
/// and may have
///   Pattern pattern(const Site& site, int tokens) const;
///   std::optional<OrderedPattern> ordered(const Site& site, int tokens) const;
///   int groups() const;  ExactSettings settings() const;  CacheNumbers cache;
template <class O>
[[nodiscard]] Value masked(Formula& f, const O& o) {
  const OrderedPattern pattern =
      f.works() ? best_order(o, f) : OrderedPattern{Pattern::all(0, 0)};
  FusedSettings settings;
  if constexpr (requires { o.settings(); }) {
    settings.core = o.settings();
  }
  if constexpr (requires { o.cache; }) {
    settings.cache = o.cache;
  }
  const HeadLayer layer(in_positions(f.tokens(), pattern.order), o.maps, groups_of(o));
  const Value mixed = fused_softmax(layer.heads(), pattern, settings);
  return from_positions(layer.output(mixed), pattern.order);
}

}  // namespace oa::attention
