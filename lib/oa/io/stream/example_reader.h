#pragma once

#include "oa/io/stream/stream.h"

#include <optional>
#include <vector>

namespace oa::io {

/// Reads a stream example by example.
class ExampleReader {
 public:
  /// Keeps a reference.
  explicit ExampleReader(StreamReader& stream) : stream_(stream) {}

  /// The next head of a part alone, or all frames of the next example: as many as its
  /// attention has heads, fewer only where an incomplete part ends.  Empty at the end.
  [[nodiscard]] std::vector<Frame> next();

 private:
  std::optional<Frame> take();

  StreamReader& stream_;
  std::optional<Frame> held_;  // read already; belongs to what comes next
};

}  // namespace oa::io
