#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/scatter.h"

namespace oa::io {

/// A table whose columns are a group, x, y and, if there is a fourth, a label; its
/// first line has the names of x and y.  Groups come in the order in which they begin.
/// Throws InputError where a line is not that, or there is none.
[[nodiscard]] plot::Scatter read_scatter(Input& input);

}  // namespace oa::io
