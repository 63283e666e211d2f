#pragma once

#include "oa/solve/method/stop.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {

/// A spin of a clique with its sign; `minus` means -1.
struct Signed {
  int spin = 0;
  bool minus = false;

  [[nodiscard]] double sign() const { return minus ? -1.0 : 1.0; }
};

/// A triangle (k = 3) or pentagonal (k = 5) inequality: the sum of k signed spins is
/// odd, so its square is at least 1:
///   sum over pairs of sign_a sign_b s_a s_b >= (1 - k) / 2.
struct OddClique {
  static constexpr int kMax = 5;

  std::array<std::int16_t, kMax> spin{};  ///< increasing; the first `size` are valid
  std::uint8_t size = 0;                  ///< 3 or 5
  std::uint8_t minus = 0;                 ///< bit a: sign a is -1; the first sign is 1
  double weight = 0.0;                    ///< multiplier, at least 0

  /// The clique of the given spins, in any order.
  [[nodiscard]] static OddClique of(std::span<const Signed> members);

  [[nodiscard]] Signed member(int a) const {
    return {spin[static_cast<std::size_t>(a)], (minus >> a & 1) != 0};
  }

  /// The right side (1 - size) / 2, which is -1 or -2.
  [[nodiscard]] double least() const { return 0.5 * (1.0 - size); }

  [[nodiscard]] int pairs() const { return size * (size - 1) / 2; }

  /// Calls visit(i, k, sign_i sign_k) for each pair of spins i < k.
  template <class Visit>
  void each_pair(const Visit& visit) const {
    for (int b = 1; b < size; ++b) {
      const Signed second = member(b);
      for (int a = 0; a < b; ++a) {
        const Signed first = member(a);
        visit(first.spin, second.spin, first.minus == second.minus ? 1.0 : -1.0);
      }
    }
  }

  /// A key that identifies the inequality.
  [[nodiscard]] std::pair<std::array<std::int16_t, kMax>, int> key() const {
    return {spin, minus << 8 | size};
  }
};

/// Returns the cliques of the problem with spin i = `sign` * last spin.
/// Weights of equal cliques add up; cliques with both spins are dropped.
[[nodiscard]] std::vector<OddClique> contracted(std::span<const OddClique> cliques,
                                                int n,
                                                int i,
                                                double sign);

struct Violated {
  OddClique clique;
  double violation = 0.0;
};

/// The rows of a symmetric matrix of products s_i s_k; its diagonal is 1.
using Products = std::span<const double>;

/// Returns the most violated triangles, sorted:
/// at most `most`, each violated by more than `least`.  O(n^3).
[[nodiscard]] std::vector<Violated> violated_triangles(
    int n, Products x, double least, std::size_t most, const Stop& stop);

/// Returns distinct pentagons violated by more than `least`.
/// Each clique of `from` grows to five spins;
/// then members are exchanged one by one while this helps.  An exchange takes O(n).
[[nodiscard]] std::vector<Violated> violated_pentagons(
    int n, Products x, std::span<const OddClique> from, double least, const Stop& stop);

/// Keeps at most `most` cliques: the most violated, sorted.
void keep_most_violated(std::size_t most, std::vector<Violated>& found);

}  // namespace oa::solve
