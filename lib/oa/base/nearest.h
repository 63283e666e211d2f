#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oa {

/// Finds the name closest to the misspelt `word`: a few letters are missing,
/// superfluous, changed or swapped, or the end is missing.  Empty if no name is close.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& names);

/// Returns the nearest option, "--batch-size".  If no name is close, looks for an
/// option whose words occur in `word` ("--batch"), or whose description begins with
/// `word` ("Learning rate" for "--learning-rate").
[[nodiscard]] std::string nearest_option(std::string_view word,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::string>& descriptions);

}  // namespace oa
