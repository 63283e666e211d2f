#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace oa {

/// Random numbers as a pure function of (seed, path of forks, position): Philox4x32-10,
/// the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
/// numbers: as easy as 1, 2, 3" (SC 2011).  A job that draws from `rng.fork(k)` gets
/// the same numbers on any thread, in any shard and in any order of jobs.
///
/// Copying is cheap (40 bytes), and a copy repeats the same draws.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : key_(seed) {}

  /// Returns the independent stream `k`,
  /// which depends only on the seed and the path of forks, not on numbers drawn before.
  [[nodiscard]] Rng fork(std::uint64_t k) const;

  std::uint32_t u32();
  std::uint64_t u64();

  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform on {0, ..., n-1}, without bias; n > 0.
  std::uint32_t below(std::uint32_t n);

  /// Standard normal (Box-Muller; uses two uniforms, keeps the second value).
  double normal();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

  /// One block of the generator: ten rounds over `counter` under `key`.
  [[nodiscard]] static std::array<std::uint32_t, 4> philox(
      std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

 private:
  std::uint64_t key_;
  std::uint64_t position_ = 0;  // 32-bit words drawn
  std::array<std::uint32_t, 4> block_{};
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace oa
