#include "oa/io/bytes/system_call.h"

#include <unistd.h>

namespace oa::io {

bool write_all(int fd, std::span<const std::byte> bytes) {
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
