#pragma once

#include "oa/machine/block.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// True if a result file holds an array of spins: a numpy array, or a JSON list of
/// lists.
[[nodiscard]] bool looks_like_spin_array(std::string_view text);

/// The rows of an array of spins, a run each: (runs, spins), or (spins) for one run, of
/// -1 and 1.  Spins of +1 become 1.  Limits are those of a log.  Throws InputError,
/// which begins with `where` and names the first wrong element.
[[nodiscard]] std::vector<machine::Bits> read_spin_array(std::string_view text,
                                                         const std::string& where);

}  // namespace oa::io
