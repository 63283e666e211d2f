#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/accuracy.h"

#include <vector>

namespace oa::io {

/// Reads lines of JSON objects with the texts `attention` and `name` (default:
/// attention) and the numbers `accuracy` and `accuracy_sd` (optional), both from 0 to
/// 1.  Throws InputError on another line, or if there is none.
[[nodiscard]] std::vector<plot::Accuracy> read_accuracies(Input& input);

}  // namespace oa::io
