#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oa::app {

/// A warning if `correct` is not significant: guessing the largest of the classes gives
/// as many correct answers with a probability above 5 %.  Else empty.
[[nodiscard]] std::string chance_warning(std::int64_t correct,
                                         std::span<const std::int64_t> of_class);

}  // namespace oa::app
