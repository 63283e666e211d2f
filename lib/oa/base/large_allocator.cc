#include "oa/base/large_allocator.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace oa {
namespace {

constexpr std::align_val_t kHugePage{std::size_t{1} << 21};
constexpr std::size_t kLarge = std::size_t{1} << 22;

}  // namespace

void* allocate_large(std::size_t bytes, std::align_val_t alignment) {
  if (bytes < kLarge) {
    return ::operator new(bytes, alignment);
  }
  void* memory = ::operator new(bytes, kHugePage);
#if defined(__linux__)
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // optional: failure costs only speed
#endif
  return memory;
}

void free_large(void* memory, std::size_t bytes, std::align_val_t alignment) noexcept {
  if (bytes < kLarge) {
    ::operator delete(memory, alignment);
  } else {
    ::operator delete(memory, kHugePage);
  }
}

}  // namespace oa
