#pragma once

#include "oa/io/stream/stream.h"

#include <optional>
#include <vector>

namespace oa::io {

class ExampleReader {
 public:
  /// Keeps a reference.
  explicit ExampleReader(StreamReader& stream) : stream_(stream) {}

  /// Returns the head of a part, or all frames of the next example: one frame for each
  /// attention head, fewer only at the end of an incomplete part.  Empty at the end.
  [[nodiscard]] std::vector<Frame> next();

 private:
  std::optional<Frame> take();

  StreamReader& stream_;
  std::optional<Frame> held_;  // the first frame of the next result, already read
};

}  // namespace oa::io
