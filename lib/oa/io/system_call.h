#pragma once

#include <cerrno>

#include <unistd.h>

namespace oa::io {

/// call(), again while a signal interrupts it: that is nobody's business but ours.
template <class Call>
auto uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) {
      return result;
    }
  }
}

/// close(2), which gives the descriptor back also where it is interrupted: to call it
/// again could close somebody else's.
inline int close_once(int fd) {
  const int result = ::close(fd);
  return result != 0 && errno == EINTR ? 0 : result;
}

}  // namespace oa::io
