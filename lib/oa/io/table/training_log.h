#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/curves.h"

#include <string>
#include <vector>

namespace oa::io {

/// A training log, oa-formats(5): the lines of `oa-train --log` or the table of its
/// `--csv`, one curve for each seed, or the single object of lists in which the public
/// reproduction kept its own. `steps`: curves over steps, each point the mean of the
/// steps since the one before.  `cut` becomes true where the last line is not whole, as
/// it is while the training still writes it; that line is left out.
[[nodiscard]] std::vector<plot::Curve> read_training_log(Input& input,
                                                         bool steps,
                                                         bool& cut);

}  // namespace oa::io
