#pragma once

#include "oa/machine/block.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// True if a result file holds an array of spins:
/// a numpy array, or a JSON list of lists.
[[nodiscard]] bool looks_like_spin_array(std::string_view text);

/// Reads runs from an array of spins -1 and 1 of shape (runs, spins), or (spins) for
/// one run; +1 becomes 1.  The limits are those of a log.  Throws InputError,
/// whose message begins with `where` and names the first wrong element.
[[nodiscard]] std::vector<machine::Bits> read_spin_array(std::string_view text,
                                                         const std::string& where);

}  // namespace oa::io
