#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <string>

namespace oa::io {

/// Reads an input to its end.  Throws InputError "name: `too_much`" if it has more than
/// `most` bytes, before reserving memory for the excess.
[[nodiscard]] std::string read_whole_text(Input& input,
                                          std::size_t most,
                                          const std::string& too_much);

}  // namespace oa::io
