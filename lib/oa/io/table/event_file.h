#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/table/columns.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// A number with a name, such as "validation/loss".
struct Scalar {
  std::string_view tag;
  double value = 0.0;
};

/// Writes event files for TensorBoard.  A record has a length, a checksum,
/// a protocol-buffer message, and a checksum; oa-formats(5), EVENT FILES.
class EventFiles {
 public:
  /// Begins a file in `folder`, which is created if missing.  `append` keeps the files
  /// of earlier runs; otherwise these are removed.  Throws IoError.
  EventFiles(const std::string& folder, bool append);

  /// Writes the numbers of a step, `seconds` after the beginning.
  /// Values that are not finite are omitted.
  void write(std::int64_t step, double seconds, std::span<const Scalar> scalars);

 private:
  void record(std::string_view event);

  std::optional<LogFile> file_;
};

/// True if `start` begins an event file.
[[nodiscard]] bool looks_like_events(std::span<const std::byte> start);

/// Reads all events:
/// a column for the steps, a column for each tag, and a row for each event.
[[nodiscard]] TableSummary read_event_columns(Input& input);

}  // namespace oa::io
