#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace oa::solve {

/// One of the four inequalities that the products of any three spins fulfil:
///   a s_i s_j + b s_i s_k + c s_j s_k >= -1,  abc = 1.
struct Triangle {
  std::array<int, 3> spin{};  ///< i < j < k
  std::uint8_t kind = 0;      ///< of kSigns
  double weight = 0.0;        ///< its multiplier, not negative

  /// a, b and c of each kind.
  static constexpr std::array<std::array<double, 3>, 4> kSigns{
      {{1.0, 1.0, 1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0}, {-1.0, -1.0, 1.0}}};

  [[nodiscard]] const std::array<double, 3>& signs() const { return kSigns[kind]; }

  /// Which inequality it is.
  [[nodiscard]] std::tuple<int, int, int, int> key() const {
    return {spin[0], spin[1], spin[2], kind};
  }
};

/// What triangles of n spins say once spin i is `sign` times the last one, and no
/// longer there.  Those that become the same add up.
[[nodiscard]] std::vector<Triangle> contracted(std::span<const Triangle> triangles,
                                               int n,
                                               int i,
                                               double sign);

}  // namespace oa::solve
