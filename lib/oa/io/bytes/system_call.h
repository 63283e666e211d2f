#pragma once

#include <cerrno>
#include <cstddef>
#include <span>

namespace oa::io {

/// Repeats call() while a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) {
      return result;
    }
  }
}

/// Writes all bytes to a file or a pipe.  False, with errno, on failure.
[[nodiscard]] bool write_all(int fd, std::span<const std::byte> bytes);

}  // namespace oa::io
