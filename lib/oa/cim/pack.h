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

/// How coefficients are converted to integers.
enum class Precision : std::uint8_t {
  Auto,    ///< without rounding if possible, else Vendor
  Vendor,  ///< the vendor's matrix, bit for bit: largest scale, one auxiliary spin
  Best,    ///< without rounding, else the fewest spins that keep every optimum
  Split,   ///< the fewest spins, with copies of variables, that keep every optimum
  Exact,   ///< unchanged, at scale 1; throws if not whole
};

inline constexpr int kMaxBits = 14;

struct PackSettings {
  int bits = 8;   ///< of a coupling, including its sign; at most kMaxBits
  int spins = 0;  ///< maximum for a task; 0: no limit
  Precision precision = Precision::Auto;
  bool fix = true;     ///< Best, Split: fix variables by the root bound
  bool merge = false;  ///< several problems of an image in one task
};

/// Packs the problems of an image.  Throws InputError, prefixed with `where`,
/// if a problem has too many variables, or needs rounding under Precision::Exact.
[[nodiscard]] machine::PackedImage pack(qubo::Problem problem,
                                        const PackSettings& settings,
                                        const std::string& where);

/// The limit for single problems, far above the spins of known machines.
inline constexpr int kMaxSingleVariables = 4096;

/// Packs a single problem as image `index`, from its exact numbers instead of floats.
[[nodiscard]] machine::PackedImage pack(std::shared_ptr<const machine::Single> single,
                                        std::int64_t index,
                                        const PackSettings& settings,
                                        const std::string& where);

/// Distributes items of the given sizes to few bins of `room`, first fit,
/// largest first.  Bins are ordered by their first items; items ascend.
/// No size may exceed `room`.
[[nodiscard]] std::vector<std::vector<int>> fill_bins(const std::vector<int>& sizes,
                                                      int room);

/// Combines fixed values and the x of the block to the x of the problem.
[[nodiscard]] machine::Bits restored(const machine::Bits& fixed,
                                     std::span<const std::uint8_t> block_x);

}  // namespace oa::cim

namespace oa {

template <>
struct EnumNames<cim::Precision> {
  static constexpr std::array kAll{"auto", "vendor", "best", "split", "exact"};
};

}  // namespace oa
