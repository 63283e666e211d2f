#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/curves.h"

#include <string>
#include <vector>

namespace oa::io {

/// Reads a training log, oa-formats(5): the lines of `oa-train --log` or the table of
/// its `--csv` (one curve for each seed), or the object of lists of the public
/// reproduction.  `steps` gives curves over steps; each point is the mean since the
/// previous one.  `cut` becomes true if the last line is incomplete because the
/// training still writes it; that line is left out.
[[nodiscard]] std::vector<plot::Curve> read_training_log(Input& input,
                                                         bool steps,
                                                         bool& cut);

}  // namespace oa::io
