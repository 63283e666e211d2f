#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace oa {

/// A stack of memory: blocks are released in reverse order of their allocation.  All
/// memory for one image comes from one arena, so that a dry run can measure the need.
class Arena {
 public:
  /// Pieces are aligned to a cache line, the size of the widest vector.
  static constexpr std::size_t kAlignment = 64;

  /// Makes an arena without memory that only counts: allocate() returns null.
  /// Constructors that take memory from an arena must not write to this memory.
  Arena() = default;
  explicit Arena(std::size_t bytes);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Zeroed memory.  Throws std::bad_alloc if too little is left.
  [[nodiscard]] void* allocate(std::size_t bytes);

  /// Returns a position: release(position) frees all memory allocated after mark().
  [[nodiscard]] std::size_t mark() const { return used_; }
  void release(std::size_t mark);

  /// Takes `bytes` from this arena as an arena of its own,
  /// which this arena must outlive.
  [[nodiscard]] Arena part(std::size_t bytes);

  /// The maximum of bytes allocated at any time.
  [[nodiscard]] std::size_t high_water() const { return high_water_; }

 private:
  std::byte* memory_ = nullptr;
  bool owns_ = false;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

/// Returns the bytes that `make(arena)` allocates; a counting arena measures them.
template <class Make>
[[nodiscard]] std::size_t bytes_taken(Make&& make) {
  Arena counting;
  (void)std::forward<Make>(make)(counting);
  return counting.high_water();
}

}  // namespace oa
