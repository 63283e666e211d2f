#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <string>

namespace oa::io {

/// All that is left of an input.  Throws InputError, "name: `too_much`", where it is
/// more than `most` bytes, before memory for more is taken.
[[nodiscard]] std::string read_whole_text(Input& input,
                                          std::size_t most,
                                          const std::string& too_much);

}  // namespace oa::io
