#pragma once

#include "oa/cim/optima.h"
#include "oa/cim/quantise.h"
#include "oa/machine/packed.h"

#include <optional>

namespace oa::cim {

struct Quantised {
  machine::Block block;
  Rule rule;
  machine::Effort effort;
  machine::KeptOptima kept;
};

inline constexpr int kMostAuxiliaries = 8;
inline constexpr int kScales = 24;

/// The vendor's rule: the largest scale.
[[nodiscard]] Quantised quantise_as_vendor(const machine::Spins& spins,
                                           const Optima& optima,
                                           int top_level,
                                           std::int64_t max_nodes = kAllNodes);

/// Without rounding, where whole_scale() knows how.
[[nodiscard]] std::optional<Quantised> quantise_whole(
    const machine::Spins& spins,
    const Optima& optima,
    int top_level,
    std::int64_t max_nodes = kAllNodes);

/// Tries 1, 2, 4 and 8 auxiliary spins, in this order; with each the largest scale,
/// then kScales smaller ones; with each of these uncut and cut fields.  Returns the
/// first block that keeps every optimum; else one that keeps the first optimum; else
/// one that keeps some; else any.  Blocks of more than `most_spins` spins (0: no limit)
/// are not tried.  Where it is not known what is kept, the largest scale is taken, with
/// fields cut: that changes no optimum and leaves more levels to the rest.
[[nodiscard]] Quantised quantise_best(const machine::Spins& spins,
                                      const Optima& optima,
                                      int top_level,
                                      int most_spins,
                                      std::int64_t max_nodes = kAllNodes);

}  // namespace oa::cim
