#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace oa {

/// A stack of memory: pieces follow each other and are released in reverse order.  The
/// work on one image takes all its memory from one arena, so that its memory is known
/// before and can be asked for after.
class Arena {
 public:
  /// Pieces are aligned to a cache line, which is the size of the widest vector.
  static constexpr std::size_t kAlignment = 64;

  /// An arena without memory that only counts: allocate() returns null.  Objects made
  /// from an arena therefore do not touch their memory before they are first used.
  Arena() = default;
  explicit Arena(std::size_t bytes);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Zeroed memory.  Throws std::bad_alloc if too little is left.
  [[nodiscard]] void* allocate(std::size_t bytes);

  /// A position: release(mark()) releases all that was allocated since.
  [[nodiscard]] std::size_t mark() const { return used_; }
  void release(std::size_t mark);

  /// An arena of `bytes` of this one, for users that release all their memory after
  /// each call.  This arena must outlive it.
  [[nodiscard]] Arena part(std::size_t bytes);

  /// The most bytes allocated at any time.
  [[nodiscard]] std::size_t high_water() const { return high_water_; }

 private:
  std::byte* memory_ = nullptr;
  bool owns_ = false;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

/// The bytes that `make(arena)` allocates, measured with an arena that only counts.
template <class Make>
[[nodiscard]] std::size_t bytes_taken(Make&& make) {
  Arena counting;
  (void)std::forward<Make>(make)(counting);
  return counting.high_water();
}

}  // namespace oa
