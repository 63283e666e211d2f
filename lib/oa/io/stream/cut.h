#pragma once

#include "oa/base/index_set.h"
#include "oa/io/stream/stream.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace oa::io {

/// A selection of the images of a stream.
struct Cut {
  std::optional<std::int64_t> head = {};  ///< only the first `head` images
  std::optional<IndexSet> select = {};    ///< only images with these indices

  [[nodiscard]] bool everything() const { return !head && !select; }
};

struct CutResult {
  std::int64_t images = 0;   ///< images kept
  std::int64_t missing = 0;  ///< selected images that the stream lacks
  bool complete = true;      ///< all parts of the stream are marked complete

  /// True if nothing is missing.
  [[nodiscard]] bool ok() const { return complete && missing == 0; }
};

/// Calls visit(frame) for every head, and for every image frame that the cut selects.
/// Stops reading as soon as possible.
CutResult visit_cut(StreamReader& reader,
                    const Cut& cut,
                    const std::function<void(Frame&)>& visit);

/// Writes the cut as a stream, frames byte for byte.
CutResult write_cut(StreamReader& reader, const Cut& cut, Output& output);

}  // namespace oa::io
