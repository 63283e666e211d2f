#pragma once

#include "oa/base/field.h"
#include "oa/cim/optima.h"
#include "oa/cim/quantise.h"
#include "oa/machine/packed.h"

#include <array>
#include <optional>

namespace oa::cim {

enum class Precision : std::uint8_t {
  Vendor,  ///< one scale, one auxiliary spin, bit for bit as the vendor does it
  Best,    ///< whatever keeps every optimum, cheapest in spins first
};

struct Quantised {
  machine::Block block;
  Rule rule;
  machine::Effort means;
  machine::Kept kept;
};

inline constexpr int kMostAuxiliaries = 8;
inline constexpr int kScales = 24;

/// The vendor's rule.
[[nodiscard]] Quantised quantise_as_vendor(const machine::Spins& spins,
                                           const Optima& optima,
                                           int top_level);

/// With 1, 2, 4 and 8 auxiliary spins, in this order: the largest scale, without and
/// with cut fields, then kScales smaller ones, likewise; the first that keeps every
/// optimum.  If none does, the one that keeps most: the first, some, none.  Blocks of
/// over `most_spins` spins (0: any number) are not considered.
[[nodiscard]] Quantised quantise_best(const machine::Spins& spins,
                                      const Optima& optima,
                                      int top_level,
                                      int most_spins);

}  // namespace oa::cim

namespace oa {

template <>
struct EnumNames<cim::Precision> {
  static constexpr std::array kAll{"vendor", "best"};
};

}  // namespace oa
