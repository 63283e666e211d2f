#pragma once

#include "oa/attention/kernel/decode/cache.h"
#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/num/matrix.h"

namespace oa::attention {

/// Heads, groups and rows' width of decode's query and cache.
struct DecodeShape {
  int heads;
  int groups;
  int width;
  int padded;  ///< width, up to a multiple of kLane
  int panel;   ///< keys of a panel

  [[nodiscard]] int in_group() const { return heads / groups; }
};

/// What a thread knows of its part of the cache.  Weights of `top` are 1: sums and
/// outputs are relative to it.
struct DecodePart {
  static constexpr int kPanel = DecodeCache::kPanel;
  static constexpr int kLanes = num::kLane;

  float* top;  ///< one a head
  float* sum;  ///< kLanes a head, then the sum of these in the first
  float* o;    ///< heads x padded width
  float* p;    ///< heads x kPanel
};

/// What one thread does: a part of the rows of a group, which begins with a panel.
struct DecodeJob {
  int group;
  Run rows;
  bool beyond_cache;  ///< the cache of keys and values exceeds the second cache
  DecodePart part;
};

}  // namespace oa::attention
