#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oa::app {

/// Warns if `correct` is not significant: always answering the largest class would be
/// as good with a probability above 5 %. Otherwise empty.
[[nodiscard]] std::string chance_warning(std::int64_t correct,
                                         std::span<const std::int64_t> of_class);

}  // namespace oa::app
