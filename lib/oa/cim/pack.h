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

/// How coefficients become integers.
enum class Precision : std::uint8_t {
  Auto,    ///< without rounding if possible, else as Vendor
  Vendor,  ///< the vendor's matrix, bit for bit: largest scale, one auxiliary spin
  Best,    ///< without rounding, else the fewest spins that keep every optimum
  Split,   ///< with copies of variables: the fewest spins that keep every optimum
  Exact,   ///< as it is, at scale 1; another problem is refused
};

struct PackSettings {
  int bits = 8;   ///< of a coupling, including its sign; at most 8
  int spins = 0;  ///< largest number of spins of a task; 0: no limit
  Precision precision = Precision::Auto;
  bool fix = true;  ///< with Precision::Best and Split: fix variables by the root bound
  bool merge = false;  ///< pack several problems of an image into one task
};

/// Packs the problems of an image.  Throws InputError, which begins with `where`, if a
/// problem has too many variables, or needs rounding in spite of Precision::Exact.
[[nodiscard]] machine::PackedImage pack(qubo::Problem problem,
                                        const PackSettings& settings,
                                        const std::string& where);

/// Limit for single problems, far more than the spins of known machines.
inline constexpr int kMaxSingleVariables = 4096;

/// The same for a single problem, as image number `index`.  Uses its exact numbers, not
/// floats.
[[nodiscard]] machine::PackedImage pack(std::shared_ptr<const machine::Single> single,
                                        std::int64_t index,
                                        const PackSettings& settings,
                                        const std::string& where);

/// Distributes items of these sizes over few bins of `room`: first fit, largest first.
/// Bins are in order of their first items, items ascend.  Every size must be at most
/// `room`.
[[nodiscard]] std::vector<std::vector<int>> fill_bins(const std::vector<int>& sizes,
                                                      int room);

/// The x of a problem from its fixed values and the x of its block.
[[nodiscard]] machine::Bits restored(const machine::Bits& fixed,
                                     std::span<const std::uint8_t> block_x);

}  // namespace oa::cim

namespace oa {

template <>
struct EnumNames<cim::Precision> {
  static constexpr std::array kAll{"auto", "vendor", "best", "split", "exact"};
};

}  // namespace oa
