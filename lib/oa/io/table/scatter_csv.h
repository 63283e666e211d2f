#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/scatter.h"

namespace oa::io {

/// Reads a table with the columns group, x, y and optionally label; its first line
/// names x and y.  Groups keep the order of their first rows.  Throws InputError on a
/// malformed line or without points.
[[nodiscard]] plot::Scatter read_scatter(Input& input);

}  // namespace oa::io
