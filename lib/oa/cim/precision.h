#pragma once

#include "oa/cim/optima.h"
#include "oa/cim/quantise.h"
#include "oa/machine/packed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cim {

struct Quantised {
  machine::Block block;
  Rule rule;
  machine::Effort effort;
  machine::KeptOptima kept;
  std::vector<int> copies = {};  ///< of each variable; empty: one each
  machine::Loss loss = {};       ///< set if there are copies
};

inline constexpr int kMaxAuxiliaries = 8;
inline constexpr int kScales = 24;

/// Quantises by the vendor's rule: the largest scale.
[[nodiscard]] Quantised quantise_as_vendor(const machine::Spins& spins,
                                           const Optima& optima,
                                           int top_level,
                                           std::int64_t max_nodes = kAllNodes);

/// Quantises without rounding; empty unless whole_scale() finds a scale.
[[nodiscard]] std::optional<Quantised> quantise_whole(
    const machine::Spins& spins,
    const Optima& optima,
    int top_level,
    std::int64_t max_nodes = kAllNodes);

/// Quantises at scale 1.  Throws InputError, prefixed with `where`,
/// that names the first coefficient that is not a level.
[[nodiscard]] Quantised quantise_as_it_is(const machine::Spins& spins,
                                          const Optima& optima,
                                          int top_level,
                                          std::int64_t max_nodes,
                                          const std::string& where);

/// Tries 1, 2, 4 and 8 auxiliary spins, each with the largest scale and kScales smaller
/// scales, uncut and with clipped fields.  Returns the first block that keeps every
/// optimum, else the first optimum, else some, else any.  Skips blocks of more than
/// `most_spins` spins (0: no limit).  Without proofs, takes the largest scale with
/// clipped fields, which keep all optima and leave more levels to couplings.
[[nodiscard]] Quantised quantise_best(const machine::Spins& spins,
                                      const Optima& optima,
                                      int top_level,
                                      int most_spins,
                                      std::int64_t max_nodes = kAllNodes);

}  // namespace oa::cim
