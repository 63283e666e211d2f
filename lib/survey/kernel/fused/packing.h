#pragma once

#include "survey/kernel/fused/fused.h"

#include <cstddef>
#include <cstdint>

namespace oa::attention {

[[nodiscard]] inline int panels_of(int keys, int panel) {
  return (keys + panel - 1) / panel;
}

/// The queries, keys or values of one head.
struct HeadRows {
  const float* data;
  std::ptrdiff_t stride;
  int rows;
  int width;

  HeadRows(num::ConstView matrix, int block, int columns)
      : data(matrix.data + static_cast<std::ptrdiff_t>(block) * columns),
        stride(matrix.stride),
        rows(matrix.rows),
        width(columns) {}
  [[nodiscard]] const float* row(int i) const { return data + i * stride; }
};

/// The destination of a panel's packed keys, and of facts about the panel.
struct PackedPanel {
  float* keys;
  std::uint8_t* careful;  ///< receives whether some value is not finite
};

/// Packs keys first .. first+panel-1.  If `all_seen`, each tile sees all keys of a
/// panel or none, so infinite values need no special treatment.
void pack_fused_panel(const HeadRows& k,
                      const HeadRows& v,
                      int first,
                      int panel,
                      bool all_seen,
                      const PackedPanel& to);

}  // namespace oa::attention
