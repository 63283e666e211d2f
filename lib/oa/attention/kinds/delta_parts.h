#pragma once

#include "oa/attention/kernel/delta/delta_scan.h"
#include "oa/attention/kinds/gated_output.h"
#include "oa/attention/reading.h"
#include "oa/attention/site.h"
#include "oa/parts/layers.h"

#include <array>
#include <optional>
#include <span>

namespace oa::attention {

/// The kinds that share the delta rule.
enum class DeltaRule { Plain, Gated, Kda };

/// The options of any of them.
struct DeltaForm {
  DeltaRule rule = DeltaRule::Plain;
  int heads = 1;
  int conv = 4;
  int rank = 0;  ///< of the map that computes decays of channels; kda
};

/// Queries, keys and values, in this order.
inline constexpr std::size_t kDeltaKey = 1;
inline constexpr std::size_t kDeltaValue = 2;
using DeltaViews = std::array<num::View, 3>;

/// Maps of tokens, one row each; slopes are those of activations, for backward only.
struct DeltaTokens {
  DeltaViews mapped;  // before convolutions
  num::View strength;
  num::View strength_slope;
  num::View low;
  num::View log_decay;
  num::View decay_slope;
};

/// Results of one reading of the tokens.
struct DeltaReading {
  DeltaViews after;  // convolution, SiLU and, for queries and keys, unit length
  DeltaViews slope;  // of SiLU
  std::array<num::View, 2> lengths;  // a row for each head
  num::View checkpoints;
};

/// The state of a reading.
struct DeltaMemory {
  DeltaViews last;  // inputs of the convolutions
  std::span<float> state;
};

/// Gradients of the members of the same name of DeltaTokens and DeltaReading.
struct DeltaSlots {
  DeltaViews mapped;
  DeltaViews after;
  num::View spare;
  num::View strength, low, log_decay;
  num::View step, reading_decay;  // of one reading
};

struct DeltaParts {
  DeltaParts(const DeltaForm& form, const Site& site, parts::Layout& layout);

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const;
  [[nodiscard]] DeltaShape shape(int threads) const;

  [[nodiscard]] DeltaTokens tokens(int n, Arena& arena, bool backward) const;
  [[nodiscard]] DeltaReading reading(int n,
                                     const DeltaTokens& at,
                                     Arena& arena,
                                     bool backward) const;
  [[nodiscard]] DeltaMemory memory(Arena& arena) const;
  [[nodiscard]] DeltaSlots slots(int n, Arena& arena) const;

  /// Computes `at` of the tokens x.
  void map_tokens(const parts::Weights& weights,
                  num::ConstView x,
                  const DeltaTokens& at) const;
  /// Computes y, and advances `memory`.
  void read(const parts::Weights& weights,
            Reading order,
            const DeltaTokens& at,
            const DeltaReading& to,
            const DeltaMemory& memory,
            int threads,
            num::View y,
            Arena& arena) const;

  /// Adds to `d.mapped`, `d.strength` and `d.log_decay`, from dy.
  void read_backward(const parts::Weights& weights,
                     Reading order,
                     const DeltaTokens& at,
                     const DeltaReading& of,
                     num::ConstView dy,
                     int threads,
                     const DeltaSlots& d,
                     parts::Values& gradient,
                     Arena& arena) const;
  /// Adds to dx, from `d`.
  void maps_backward(const parts::Weights& weights,
                     num::ConstView x,
                     const DeltaTokens& at,
                     const DeltaSlots& d,
                     num::View dx,
                     parts::Values& gradient) const;

  DeltaForm form;
  int dim;
  std::array<parts::Linear, 3> maps;
  std::array<int, 3> conv;  // tensors
  parts::Linear strength;
  std::optional<parts::Linear> low;
  std::optional<parts::Linear> decay;
  GatedOutput out;

 private:
  [[nodiscard]] int head_width() const { return dim / form.heads; }
  [[nodiscard]] int decay_width() const;
  [[nodiscard]] DeltaInput scan_input(Reading order,
                                      const DeltaTokens& at,
                                      const DeltaReading& of) const;
};

}  // namespace oa::attention
