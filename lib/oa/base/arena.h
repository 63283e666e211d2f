#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace oa {

/// Memory that is given out piece by piece, one behind the other, and given back in the
/// opposite order.  What works on one image takes all its memory from one arena, so
/// that how much it takes is known before and can be asked for after.
class Arena {
 public:
  /// Where pieces begin: at a cache line, as wide as the widest vector.
  static constexpr std::size_t kAlignment = 64;

  /// Has no memory and only counts: what allocate() returns is null.  Whatever is made
  /// from an arena therefore leaves its memory alone until it is first used.
  Arena() = default;
  explicit Arena(std::size_t bytes);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Zeroed memory.  Throws std::bad_alloc if less is left.
  [[nodiscard]] void* allocate(std::size_t bytes);

  /// A place to go back to: release(mark()) takes back all that was allocated between.
  [[nodiscard]] std::size_t mark() const { return used_; }
  void release(std::size_t mark);

  /// So many bytes of this arena as one of its own, for what gives all its memory back
  /// after each call: then it need not be known who else has taken memory since.  This
  /// arena must outlive it.
  [[nodiscard]] Arena part(std::size_t bytes);

  /// The most bytes that were given out at any one time.
  [[nodiscard]] std::size_t high_water() const { return high_water_; }

 private:
  std::byte* memory_ = nullptr;
  bool owns_ = false;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

/// The bytes that `make(arena)` takes from an arena: it runs with one that only counts.
template <class Make>
[[nodiscard]] std::size_t bytes_taken(Make&& make) {
  Arena counting;
  (void)std::forward<Make>(make)(counting);
  return counting.high_water();
}

}  // namespace oa
