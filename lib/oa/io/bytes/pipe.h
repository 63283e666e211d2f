#pragma once

#include <array>
#include <cstddef>

namespace oa::io {

/// A pipe whose bytes go from ends[1] to ends[0].
struct Pipe {
  std::array<int, 2> ends{-1, -1};

  /// Throws IoError.
  Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  void close(std::size_t end);
};

}  // namespace oa::io
