// In a wheel: two functions that libarchive refers to and that nothing here calls.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <unistd.h>

extern "C" [[gnu::visibility("hidden")]] int archive_write_set_format_xar(
    void* archive);

/// Keeps the writer of xar out, which needs libxml2 and ICU, 37 MB.
int archive_write_set_format_xar(void* /*archive*/) {
  constexpr int kFatal = -30;
  return kFatal;
}

/// Takes the place of a function of glibc 2.36.
extern "C" [[gnu::visibility("hidden")]] void arc4random_buf(void* to,
                                                             std::size_t size) {
  constexpr std::size_t kMaxBytes = 256;
  for (auto* next = static_cast<std::byte*>(to); size > 0;) {
    const std::size_t some = std::min(size, kMaxBytes);
    if (getentropy(next, some) != 0) {
      std::abort();
    }
    next += some;
    size -= some;
  }
}
