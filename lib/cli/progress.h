#pragma once

#include "oa/base/progress.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace oa::cli {

/// Progress on stderr: one line, redrawn at most ten times a second, with rate and time
/// left.  If not `shown`, the result does nothing.
[[nodiscard]] std::unique_ptr<Progress> make_progress(std::string_view tool,
                                                      bool shown);

/// The line itself, for `done` of `total` units (0: unknown) after `seconds`.
[[nodiscard]] std::string progress_line(std::string_view what,
                                        std::int64_t done,
                                        std::int64_t total,
                                        double seconds,
                                        std::string_view note);

/// As many of its fields, from the left, as fit into so many columns.
[[nodiscard]] std::string whole_fields(const std::string& line, std::size_t columns);

}  // namespace oa::cli
