#pragma once

#include "oa/base/progress.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace oa::cli {

/// Makes a progress line on stderr with rate and remaining time,
/// redrawn at most 10 times a second.  Unless `shown`, the line stays empty.
[[nodiscard]] std::unique_ptr<Progress> make_progress(std::string_view tool,
                                                      bool shown);

/// Formats the line for `done` of `total` units (0: unknown) after `seconds`.
[[nodiscard]] std::string progress_line(std::string_view what,
                                        std::int64_t done,
                                        std::int64_t total,
                                        double seconds,
                                        std::string_view note);

/// Returns the first fields of `line` that fit into `columns`.
[[nodiscard]] std::string whole_fields(const std::string& line, std::size_t columns);

}  // namespace oa::cli
