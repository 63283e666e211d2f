#pragma once

#include "oa/base/index_set.h"
#include "oa/io/stream/stream.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace oa::io {

/// A part of a stream.
struct Cut {
  std::optional<std::int64_t> head = {};  ///< the first so many images
  std::optional<IndexSet> select = {};    ///< the images with these indices

  [[nodiscard]] bool everything() const { return !head && !select; }
};

struct CutResult {
  std::int64_t images = 0;   ///< passed on
  std::int64_t missing = 0;  ///< selected, but not in the stream
  bool complete = true;      ///< as the stream's own marks say

  /// Nothing that was asked for is missing.
  [[nodiscard]] bool ok() const { return complete && missing == 0; }
};

/// Calls visit(frame) for every head and every image frame that belongs to the cut.
/// Reads no further than needed.
CutResult visit_cut(StreamReader& reader,
                    const Cut& cut,
                    const std::function<void(Frame&)>& visit);

/// Writes the cut as a stream, frames byte for byte.
CutResult write_cut(StreamReader& reader, const Cut& cut, Output& output);

}  // namespace oa::io
