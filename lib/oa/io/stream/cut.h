#pragma once

#include "oa/base/index_set.h"
#include "oa/io/stream/stream.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace oa::io {

/// The images of a stream to keep.
struct Cut {
  std::optional<std::int64_t> head = {};  ///< only the first `head` images
  std::optional<IndexSet> select = {};    ///< only images with these indices

  [[nodiscard]] bool everything() const { return !head && !select; }
};

struct CutResult {
  std::int64_t images = 0;   ///< images kept
  std::int64_t missing = 0;  ///< selected, but not in the stream
  bool complete = true;      ///< all parts of the stream are marked complete

  /// True if nothing is missing.
  [[nodiscard]] bool ok() const { return complete && missing == 0; }
};

/// Calls visit(frame) for every head and for every image frame of the cut.  Reads no
/// further than needed.
CutResult visit_cut(StreamReader& reader,
                    const Cut& cut,
                    const std::function<void(Frame&)>& visit);

/// Writes the cut as a stream, frames byte for byte.
CutResult write_cut(StreamReader& reader, const Cut& cut, Output& output);

}  // namespace oa::io
