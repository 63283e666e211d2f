#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oa::cli {

/// The name that somebody may have meant who typed `word`: of those that differ by few
/// letters left out, added, changed or swapped the nearest; empty if there is none.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& names);

}  // namespace oa::cli
