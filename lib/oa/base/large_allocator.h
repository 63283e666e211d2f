#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace oa {

/// Allocates memory in huge pages if it is large and the system has them.
[[nodiscard]] void* allocate_large(std::size_t bytes, std::align_val_t alignment);
void free_large(void* memory, std::size_t bytes, std::align_val_t alignment) noexcept;

/// Allocator for large vectors of small elements, in huge pages, which fill faster.
/// resize() does not initialise new elements; the caller must write them.
template <class T>
class LargeAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) noexcept {}  // NOLINT: rebinding

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_large(count * sizeof(T), kAlignment));
  }

  void deallocate(T* memory, std::size_t count) noexcept {
    free_large(memory, count * sizeof(T), kAlignment);
  }

  /// Default-initialises an element: no zeros are written.
  template <class U>
  void construct(U* /*at*/) noexcept {}
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }

  bool operator==(const LargeAllocator&) const = default;

 private:
  static constexpr std::align_val_t kAlignment{
      std::max(alignof(T), std::size_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__})};
};

}  // namespace oa
