#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oa::app {

/// A warning if `correct` answers about examples, so many of each class, are no more
/// than luck: one that always names the largest class gives as many with a probability
/// above 5 %.  Empty: they are more, or there are no examples.
[[nodiscard]] std::string chance_warning(std::int64_t correct,
                                         std::span<const std::int64_t> of_class);

}  // namespace oa::app
