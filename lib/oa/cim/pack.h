#pragma once

#include "oa/base/field.h"
#include "oa/machine/packed.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::cim {

/// How coefficients become whole numbers.
enum class Precision : std::uint8_t {
  Auto,    ///< without rounding where whole levels allow it, else as Vendor
  Vendor,  ///< the largest scale, one auxiliary spin: bit for bit the vendor's matrix
  Best,    ///< without rounding, else the fewest spins that keep every optimum
};

struct PackSettings {
  int bits = 8;   ///< of a coupling, sign included; at most 8
  int spins = 0;  ///< of a task, at most; 0: no limit
  Precision precision = Precision::Auto;
  bool fix = true;     ///< with Precision::Best: fix what the root bound decides
  bool merge = false;  ///< several problems of an image in one task
};

/// Throws InputError, whose text begins with `where`, if a problem has too many
/// variables.
[[nodiscard]] machine::PackedImage pack(qubo::Problem problem,
                                        const PackSettings& settings,
                                        const std::string& where);

/// Of single problems; far more than any known machine has spins.
inline constexpr int kMostSingleVariables = 4096;

/// The same for a single problem, as the image number `index`.  It is packed from its
/// own numbers, not from floats.
[[nodiscard]] machine::PackedImage pack(std::shared_ptr<const machine::Single> single,
                                        std::int64_t index,
                                        const PackSettings& settings,
                                        const std::string& where);

/// Distributes items of these sizes over few bins of `room`: first fit, the largest
/// first.  Bins are in order of their first items, items in rising order.  Every size
/// must be at most `room`.
[[nodiscard]] std::vector<std::vector<int>> fill_bins(const std::vector<int>& sizes,
                                                      int room);

/// The x of a problem, from its fixed values and the x of its block.
[[nodiscard]] machine::Bits restored(const machine::Bits& fixed,
                                     std::span<const std::uint8_t> block_x);

}  // namespace oa::cim

namespace oa {

template <>
struct EnumNames<cim::Precision> {
  static constexpr std::array kAll{"auto", "vendor", "best"};
};

}  // namespace oa
