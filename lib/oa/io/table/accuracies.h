#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/accuracy.h"

#include <vector>

namespace oa::io {

/// Lines of JSON objects with the texts `attention` and, if it is not to be the same,
/// `name`, and the numbers `accuracy` and, where it is known, `accuracy_sd`, both from
/// 0 to 1.  Throws InputError where a line is not that, or there is none.
[[nodiscard]] std::vector<plot::Accuracy> read_accuracies(Input& input);

}  // namespace oa::io
