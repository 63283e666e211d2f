#pragma once

#include <cerrno>
#include <cstddef>
#include <span>

#include <unistd.h>

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
[[nodiscard]] inline bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto n =
        uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (n <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace oa::io
