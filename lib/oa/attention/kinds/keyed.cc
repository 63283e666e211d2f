// Optimising attention with keys: for each head the coefficients of query i minimise
//   1/2 x'Jx + h_i'x,  J = alpha k k',  h_i = lambda - beta k q_i,
// and o_i = x'V / max(1, |x|_1).  alpha, beta > 0 and lambda are learned.  See
// keyed_head.h.  Beside its maps and the solver it costs 2m(m + 2n)D FLOPs, backward
// 2m(m + 4n)D.
#include "oa/attention/kinds/keyed.h"

#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

KeySource source_of(OptimizingKeys keys) {
  return keys == OptimizingKeys::Own      ? KeySource::Own
         : keys == OptimizingKeys::Shared ? KeySource::Shared
                                          : KeySource::Separate;
}

// The length of the columns of an isometric map.  Its relative changes are 50 times
// smaller than those of other maps.
constexpr double kIsometricLength = 64.0;

double stretch_of(const OptimizingOptions& options) {
  return options.isometric ? kIsometricLength : 0.0;
}

/// The initial logarithm of alpha or beta.  Those of an isometric map are for tokens.
double initial_log(const OptimizingOptions& options, double scale) {
  return std::log(scale) - (options.isometric ? 2.0 * std::log(kIsometricLength) : 0.0);
}

std::string refusal_of_isometric(const Site& site, const OptimizingOptions& options) {
  if (options.keys != OptimizingKeys::Shared || options.unit ||
      options.maps.heads > 1) {
    return "isometric=true needs keys=shared, unit=false and one head";
  }
  if (site.seen_by_keys() > site.dim) {
    return "isometric=true: keys see " + format(site.seen_by_keys()) +
           " numbers, more than their width of " + format(site.dim);
  }
  return {};
}

std::string refusal_of_paper(const Site& site, const OptimizingOptions& options) {
  if (site.causal && site.divide_output) {
    return "divide_output has no causal form: queries see different numbers of values";
  }
  if (site.causal && options.thin > 0) {
    return "thin has no causal form";
  }
  if (site.causal && site.coefficients == Coefficients::Lasso) {
    return "coefficients of the lasso have no causal form";
  }
  if (site.key_width > 0) {
    return "keys=paper are values, which see all columns of the tokens";
  }
  return {};
}

}  // namespace

std::span<const Field<OptimizingOptions>> OptimizingOptions::fields() {
  static constexpr auto kFields = joined(
      std::array{
          field<&OptimizingOptions::thin>("thin",
                                          "In prediction: iterations of ADMM in "
                                          "low-rank form (0: solve to the minimum)",
                                          {.range = {.low = 0, .high = 100000}}),
          field<&OptimizingOptions::candidates>(
              "candidates",
              "With thin: number of values that a query may choose, the most similar "
              "ones (0: all)",
              {.range = {.low = 0, .high = 4096}}),
          field<&OptimizingOptions::warm>(
              "warm", "With thin: start from the solution of the previous token"),
          field<&OptimizingOptions::keys>(
              "keys", "Source of the keys", {.value_name = "SOURCE"})},
      joined(head_fields<&OptimizingOptions::maps>(),
             std::array{field<&OptimizingOptions::unit>(
                            "unit", "Scale keys and queries to length 1"),
                        field<&OptimizingOptions::centre>(
                            "centre", "Subtract the mean of the keys first"),
                        field<&OptimizingOptions::isometric>(
                            "isometric",
                            "Begin with a long map that keeps angles, and learns "
                            "slowly"),
                        field<&OptimizingOptions::alpha>(
                            "alpha",
                            "Initial penalty for choosing similar keys (0: none)",
                            {.range = {.low = 0, .high = 1e6}}),
                        field<&OptimizingOptions::beta>(
                            "beta",
                            "Initial reward of a key similar to the query",
                            {.range = {.low = 1e-3, .high = 1e6}}),
                        field<&OptimizingOptions::penalty>(
                            "penalty",
                            "Initial penalty of each chosen key",
                            {.range = {.low = -1e6, .high = 1e6}})}));
  return kFields;
}

bool optimizing_option_applies(const OptionTexts& texts, const std::string& name) {
  const auto keys = texts.find("keys");
  const bool paper = keys == texts.end() || keys->second == "paper";
  const bool for_paper = name == "thin" || name == "candidates" || name == "warm";
  return name == "keys" || for_paper == paper;
}

std::string refusal_of_optimizing(const Site& site) {
  const auto options = options_of<OptimizingOptions>(site);
  const std::string keys = "keys=" + field_text(options.keys);
  for (const auto& [name, value] : site.options) {
    if (!optimizing_option_applies(site.options, name)) {
      return name + " has no meaning with " + keys;
    }
  }
  if (options.candidates > 0 && options.thin == 0) {
    return "candidates need thin, the number of sweeps over them";
  }
  if (options.warm && (options.thin == 0 || options.candidates > 0)) {
    return "warm needs thin, the number of iterations, over all values";
  }
  if (options.candidates > 0 && site.coefficients == Coefficients::Lasso) {
    return "candidates are for coefficients from 0 to 1, not for those of the lasso";
  }
  if (site.causal && site.solver.backward == Backward::Unrolled) {
    return "no unrolled gradient in causal layers";
  }
  if (options.keys == OptimizingKeys::Paper) {
    return refusal_of_paper(site, options);
  }
  if (site.coefficients == Coefficients::Lasso) {
    return keys + " learn their penalty: coefficients cannot be those of the lasso";
  }
  if (options.keys == OptimizingKeys::Own && site.key_width > 0) {
    return "keys=own are values, which see all columns of the tokens";
  }
  if (options.keys == OptimizingKeys::Shared && site.learned_queries > 0) {
    return "keys=shared needs queries of tokens, not learned ones";
  }
  if (site.options.contains("centre") && options.centre &&
      (site.causal || !options.unit)) {
    return site.causal
               ? "centre=true sees later tokens (expected false in a causal layer)"
               : "centre=true has no meaning with unit=false";
  }
  if (const std::string refused =
          options.isometric ? refusal_of_isometric(site, options) : std::string{};
      !refused.empty()) {
    return refused;
  }
  return refusal_of_heads(site.dim, options.maps.heads, options.maps.heads);
}

KeyedParts::KeyedParts(const Site& site, parts::Layout& layout)
    : options(options_of<OptimizingOptions>(site)),
      maps(site,
           options.maps,
           layout,
           {.source = source_of(options.keys),
            .stretch = stretch_of(options),
            .output_bias = parts::Bias::No}),  // problems have no constant
      log_alpha(options.alpha > 0.0
                    ? std::optional(layout.declare(
                          site.prefix + "log_alpha",
                          {maps.heads()},
                          parts::constant(initial_log(options, options.alpha))))
                    : std::nullopt),
      log_beta(layout.declare(site.prefix + "log_beta",
                              {maps.heads()},
                              parts::constant(initial_log(options, options.beta)))),
      penalty(layout.declare(
          site.prefix + "penalty", {maps.heads()}, parts::constant(options.penalty))) {}

parts::Cost KeyedParts::cost(const Site& site, int tokens) const {
  const std::int64_t n = site.queries(tokens);
  const std::int64_t m = site.keys(tokens);
  parts::Cost cost = maps.cost(tokens);
  cost.forward += 2 * m * (m + 2 * n) * site.dim;
  cost.backward += 12 * m * n * site.dim;
  cost.pairs = site.causal ? n * (n + 1) / 2 : n * m;
  return cost;
}

KeyForm KeyedParts::form(const Site& site) const {
  return {.unit = options.unit,
          .centred = options.unit && options.centre && !site.causal};
}

KeyedScales KeyedParts::scales(const parts::Weights& weights, int head) const {
  const auto at = [&](int tensor) {
    return weights.values().vector(tensor)[static_cast<std::size_t>(head)];
  };
  return {.alpha = log_alpha ? std::exp(at(*log_alpha)) : 0.0F,
          .beta = std::exp(at(log_beta)),
          .penalty = at(penalty)};
}

void KeyedParts::add(const KeyedScalesGradient& from,
                     int head,
                     parts::Values& gradient) const {
  const auto to = [&](int tensor) -> float& {
    return gradient.vector(tensor)[static_cast<std::size_t>(head)];
  };
  if (log_alpha) {
    to(*log_alpha) += static_cast<float>(from.log_alpha);
  }
  to(log_beta) += static_cast<float>(from.log_beta);
  to(penalty) += static_cast<float>(from.penalty);
}

Keyed::Keyed(const Site& site,
             const Parts& parts,
             int tokens,
             const Resources& resources)
    : parts_(parts),
      at_(parts.maps.workspace(tokens, resources)),
      causal_(site.causal),
      spread_(num::zeros(at_.v.rows, site.dim, resources.scratch)) {
  Arena& scratch = resources.scratch;
  for (int head = 0; head < parts_.maps.heads(); ++head) {
    posed_.push_back(num::zeros(at_.v.rows, site.dim, scratch));
  }
  // Heads work one after the other in the same scratch memory, except if kept memory is
  // in the same arena.
  const bool apart = &resources.kept != &scratch;
  const std::size_t mark = scratch.mark();
  for (int head = 0; head < parts_.maps.heads(); ++head) {
    if (apart) {
      scratch.release(mark);
    }
    heads_.emplace_back(
        site, parts_.form(site), parts_.maps.head_dim(), tokens, resources);
  }
}

void Keyed::set_stage(const Stage& stage) {
  for (KeyedHead& head : heads_) {
    head.set_stage(stage);
  }
}

void Keyed::pose_heads(const parts::Weights& weights,
                       ConstView x,
                       const QueryRows& rows) {
  parts_.maps.forward(weights, x, at_);
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    heads_[static_cast<std::size_t>(h)].pose(of_head(ConstView(at_.q), h),
                                             of_head(ConstView(at_.k), h),
                                             parts_.scales(weights, h),
                                             rows);
  }
}

void Keyed::posed_values(const parts::Weights& weights, int head, View to) const {
  const auto& output = parts_.maps.output();
  if (output && parts_.maps.heads() == 1) {
    output->forward(weights, at_.v, to);
    return;
  }
  const View spread = output ? spread_ : to;
  const int width = parts_.maps.head_dim();
  num::fill(spread, 0.0F);
  copy_rows(columns(ConstView(at_.v), head * width, width),
            columns(spread, head * width, width));
  if (output) {
    output->forward(weights, spread, to);
  }
}

std::span<const Problem> Keyed::pose(const parts::Weights& weights,
                                     ConstView x,
                                     const QueryRows& rows) {
  pose_heads(weights, x, rows);
  problems_.clear();
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    const auto head = static_cast<std::size_t>(h);
    posed_values(weights, h, posed_[head]);
    problems_.push_back({.j = heads_[head].j(),
                         .h = heads_[head].h(),
                         .v = posed_[head],
                         .output_scale = 1.0F,
                         .causal = causal_});
  }
  return problems_;
}

void Keyed::forward(const parts::Weights& weights, ConstView x, View o) {
  pose_heads(weights, x, {0, at_.q.rows});
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    heads_[static_cast<std::size_t>(h)].forward(of_head(ConstView(at_.v), h),
                                                of_head(at_.mixed, h));
  }
  parts_.maps.finish(weights, o, at_);
}

void Keyed::backward(const parts::Weights& weights,
                     ConstView x,
                     ConstView d_o,
                     View dx,
                     parts::Values& gradient) {
  const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    KeyedScalesGradient scales;
    heads_[static_cast<std::size_t>(h)].backward(
        of_head(ConstView(at_.v), h),
        of_head(dmixed, h),
        parts_.scales(weights, h),
        {.q = of_head(at_.dq, h), .k = of_head(at_.dk, h), .v = of_head(at_.dv, h)},
        scales);
    parts_.add(scales, h, gradient);
  }
  parts_.maps.backward(weights, x, dx, gradient, at_);
}

float Keyed::residual() const {
  float worst = 0.0F;
  for (const KeyedHead& head : heads_) {
    worst = std::max(worst, head.residual());
  }
  return worst;
}

Keyed::Decoder::Decoder(const Site& site,
                        const Parts& parts,
                        int tokens,
                        const Resources& resources)
    : parts_(parts),
      at_(parts.maps.workspace_of_token(resources)),
      steps_(site,
             {.heads = parts.maps.heads(),
              .width = parts.maps.head_dim(),
              .unit = parts.options.unit,
              .own = parts.options.keys == OptimizingKeys::Own,
              .how = site.keyed_normalization()},
             tokens,
             resources) {}

void Keyed::Decoder::step(const parts::Weights& weights, ConstView x, View y) {
  parts_.maps.forward(weights, x, at_);
  const int width = parts_.maps.head_dim();
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    const auto of_head = [&](auto all) { return columns(all, h * width, width); };
    steps_.mix(h,
               parts_.scales(weights, h),
               of_head(ConstView(at_.q)),
               of_head(ConstView(at_.k)),
               of_head(ConstView(at_.v)),
               of_head(at_.mixed));
  }
  steps_.next();
  parts_.maps.finish(weights, y, at_);
}

}  // namespace oa::attention
