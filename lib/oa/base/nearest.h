#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oa {

/// The name closest to the misspelt `word`: a few letters left out, added, changed or
/// swapped, or the rest missing.  Empty if no name is close.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& names);

/// Returns the nearest option, "--batch-size".  If no name is close, looks for an
/// option whose words occur in `word` ("--batch"), or whose description begins with
/// `word` ("Learning rate" for "--learning-rate").
[[nodiscard]] std::string nearest_option(std::string_view word,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::string>& descriptions);

}  // namespace oa
