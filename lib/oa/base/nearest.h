#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oa {

/// The name that somebody may have meant who typed `word`: of those that differ by few
/// letters left out, added, changed or swapped the nearest; empty if there is none.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& names);

/// The same for an option, "--batch-size".  If none is near, the one whose words are
/// among those of `word`, "--batch", or whose description begins with these,
/// "Learning rate" for "--learning-rate".
[[nodiscard]] std::string nearest_option(std::string_view word,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::string>& descriptions);

}  // namespace oa
