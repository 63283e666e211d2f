#pragma once

#include <cerrno>

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

}  // namespace oa::io
