#include "oa/attention/kinds/delta_parts.h"

#include "oa/attention/kernel/activation.h"
#include "oa/attention/kernel/delta/decays.h"
#include "oa/attention/kernel/scan/convolution.h"
#include "oa/attention/kernel/unit_rows.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

constexpr std::array kNames{"Wq", "Wk", "Wv"};

parts::Linear plain_map(int which, const Site& site, parts::Layout& layout) {
  return {
      layout, site.prefix + kNames[at(which)], site.width, site.dim, parts::Bias::No};
}

int filter(int which, int taps, const Site& site, parts::Layout& layout) {
  return layout.declare(site.prefix + kNames[at(which)] + ".conv",
                        {taps, site.dim},
                        parts::for_inputs(taps));
}

}  // namespace

DeltaParts::DeltaParts(const DeltaForm& given, const Site& site, parts::Layout& layout)
    : form(given),
      dim(site.dim),
      maps{plain_map(0, site, layout),
           plain_map(1, site, layout),
           plain_map(2, site, layout)},
      conv{filter(0, form.conv, site, layout),
           filter(1, form.conv, site, layout),
           filter(2, form.conv, site, layout)},
      strength(layout, site.prefix + "Wb", site.width, form.heads),
      out(site, form.heads, layout) {
  if (form.rank > 0) {
    low = parts::Linear(
        layout, site.prefix + "Wa.0", site.width, form.rank, parts::Bias::No);
    decay = parts::Linear(layout, site.prefix + "Wa.1", form.rank, dim, kDecayBias);
  } else if (decay_width() > 0) {
    decay = parts::Linear(
        layout, site.prefix + "Wa", site.width, decay_width(), kDecayBias);
  }
}

int DeltaParts::decay_width() const {
  switch (form.rule) {
    case DeltaRule::Plain: return 0;
    case DeltaRule::Kda: return dim;
    case DeltaRule::Gated: return form.heads;
  }
  return 0;
}

DeltaShape DeltaParts::shape(int threads) const {
  return {.heads = form.heads,
          .key_width = head_width(),
          .value_width = head_width(),
          .threads = threads};
}

parts::Cost DeltaParts::cost(const Site& site, int tokens) const {
  const auto n = std::int64_t{tokens};
  const std::int64_t taps = 3 * n * dim * form.conv;
  const std::int64_t width = head_width();
  const std::int64_t chunk = std::min(tokens, kDeltaTokens);
  parts::Cost cost = strength.cost(tokens) + out.cost(tokens);
  for (const parts::Linear& map : maps) {
    cost += map.cost(tokens);
  }
  for (const auto* map : {&low, &decay}) {
    cost += *map ? (*map)->cost(tokens) : parts::Cost{};
  }
  for (std::size_t i = 0; i < readings_at(site).size(); ++i) {
    cost += {.forward = 2 * taps + n * dim * (6 * width + 6 * chunk),
             .backward = 4 * taps + n * dim * (14 * width + 20 * chunk),
             .exponentials = 2 * n * decay_width(),
             .traffic = 4 * n * (4 * dim + form.heads + decay_width())};
  }
  return cost;
}

DeltaTokens DeltaParts::tokens(int n, Arena& arena, bool backward) const {
  DeltaTokens all;
  for (View& mapped : all.mapped) {
    mapped = num::zeros(n, dim, arena);
  }
  all.strength = num::zeros(n, form.heads, arena);
  all.log_decay = num::zeros(n, decay_width(), arena);
  all.low = num::zeros(n, form.rank, arena);
  if (backward) {
    all.strength_slope = num::zeros(n, form.heads, arena);
    all.decay_slope = num::zeros(n, decay_width(), arena);
  }
  return all;
}

DeltaReading DeltaParts::reading(int n,
                                 const DeltaTokens& at,
                                 Arena& arena,
                                 bool backward) const {
  DeltaReading all;
  for (std::size_t i = 0; i < all.after.size(); ++i) {
    all.after[i] = num::zeros(n, dim, arena);
    if (backward) {
      all.slope[i] = num::zeros(n, dim, arena);
    }
  }
  for (View& lengths : all.lengths) {
    lengths = num::zeros(form.heads, n, arena);
  }
  if (backward) {
    all.checkpoints =
        num::zeros(delta_checkpoints(n), delta_state_size(shape(1)), arena);
  }
  return all;
}

DeltaMemory DeltaParts::memory(Arena& arena) const {
  DeltaMemory memory;
  for (View& last : memory.last) {
    last = num::zeros(form.conv - 1, dim, arena);
  }
  memory.state = num::zeros(delta_state_size(shape(1)), arena);
  return memory;
}

DeltaSlots DeltaParts::slots(int n, Arena& arena) const {
  DeltaSlots d;
  for (std::size_t i = 0; i < d.mapped.size(); ++i) {
    d.mapped[i] = num::zeros(n, dim, arena);
    d.after[i] = num::zeros(n, dim, arena);
  }
  d.spare = num::zeros(n, dim, arena);
  d.low = num::zeros(n, form.rank, arena);
  for (View* some : {&d.strength, &d.step}) {
    *some = num::zeros(n, form.heads, arena);
  }
  for (View* some : {&d.log_decay, &d.reading_decay}) {
    *some = num::zeros(n, decay_width(), arena);
  }
  return d;
}

void DeltaParts::map_tokens(const parts::Weights& weights,
                            ConstView x,
                            const DeltaTokens& at) const {
  for (std::size_t i = 0; i < maps.size(); ++i) {
    maps[i].forward(weights, x, at.mapped[i]);
  }
  strength.forward(weights, x, at.strength);
  sigmoid(at.strength, at.strength, at.strength_slope);
  if (low) {
    low->forward(weights, x, at.low);
  }
  if (decay) {
    decay->forward(weights, low ? ConstView(at.low) : x, at.log_decay);
    log_sigmoid(at.log_decay, 1.0F, at.log_decay, at.decay_slope);
  }
}

DeltaInput DeltaParts::scan_input(Reading order,
                                  const DeltaTokens& at,
                                  const DeltaReading& of) const {
  return {.q = in_order(order, ConstView(of.after[0])),
          .k = in_order(order, ConstView(of.after[kDeltaKey])),
          .v = in_order(order, ConstView(of.after[kDeltaValue])),
          .step = in_order(order, ConstView(at.strength)),
          .log_decay = in_order(order, ConstView(at.log_decay))};
}

void DeltaParts::read(const parts::Weights& weights,
                      Reading order,
                      const DeltaTokens& at,
                      const DeltaReading& to,
                      const DeltaMemory& memory,
                      int threads,
                      View y,
                      Arena& arena) const {
  for (std::size_t i = 0; i < to.after.size(); ++i) {
    convolve(in_order(order, ConstView(at.mapped[i])),
             weights.values().matrix(conv[i]),
             {},
             memory.last[i],
             in_order(order, to.after[i]));
    silu(to.after[i], to.after[i], to.slope[i]);
  }
  for (std::size_t i = 0; i < to.lengths.size(); ++i) {
    make_unit_heads(to.after[i], to.after[i], to.lengths[i]);
  }
  delta_scan(shape(threads),
             scan_input(order, at, to),
             in_order(order, y),
             memory.state,
             to.checkpoints,
             arena);
}

void DeltaParts::read_backward(const parts::Weights& weights,
                               Reading order,
                               const DeltaTokens& at,
                               const DeltaReading& of,
                               ConstView dy,
                               int threads,
                               const DeltaSlots& d,
                               parts::Values& gradient,
                               Arena& arena) const {
  delta_scan_backward(shape(threads),
                      scan_input(order, at, of),
                      of.checkpoints,
                      in_order(order, dy),
                      {.q = in_order(order, d.after[0]),
                       .k = in_order(order, d.after[kDeltaKey]),
                       .v = in_order(order, d.after[kDeltaValue]),
                       .step = in_order(order, d.step),
                       .log_decay = in_order(order, d.reading_decay)},
                      arena);
  num::add(d.step, d.strength);
  num::add(d.reading_decay, d.log_decay);
  for (std::size_t i = 0; i < of.lengths.size(); ++i) {
    make_unit_heads_backward(of.after[i], of.lengths[i], d.after[i]);
  }
  for (std::size_t i = 0; i < of.after.size(); ++i) {
    num::multiply(of.slope[i], d.after[i]);
    convolve_backward(in_order(order, ConstView(at.mapped[i])),
                      weights.values().matrix(conv[i]),
                      in_order(order, ConstView(d.after[i])),
                      in_order(order, d.spare),
                      gradient.matrix(conv[i]),
                      {});
    num::add(d.spare, d.mapped[i]);
  }
}

void DeltaParts::maps_backward(const parts::Weights& weights,
                               ConstView x,
                               const DeltaTokens& at,
                               const DeltaSlots& d,
                               View dx,
                               parts::Values& gradient) const {
  num::multiply(at.strength_slope, d.strength);
  strength.add_backward(weights, x, d.strength, dx, gradient);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    maps[i].add_backward(weights, x, d.mapped[i], dx, gradient);
  }
  if (decay) {
    num::multiply(at.decay_slope, d.log_decay);
  }
  if (low) {
    decay->backward(weights, at.low, d.log_decay, d.low, gradient);
    low->add_backward(weights, x, d.low, dx, gradient);
  } else if (decay) {
    decay->add_backward(weights, x, d.log_decay, dx, gradient);
  }
}

}  // namespace oa::attention
