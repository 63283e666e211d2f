#pragma once

#include "oa/num/matrix.h"
#include "survey/kernel/decode/cache.h"
#include "survey/kernel/pattern/pattern.h"

namespace oa::attention {

/// The shape of a query and a cache.
struct DecodeShape {
  int heads;
  int groups;
  int width;
  int padded;  ///< width, rounded up to a multiple of kLane
  int panel;   ///< keys of a panel

  [[nodiscard]] int in_group() const { return heads / groups; }
};

/// The results for a part of the cache.  Sums and outputs are relative to `top`,
/// the largest logit: the key with this logit has weight 1.
struct DecodePart {
  static constexpr int kPanel = DecodeCache::kPanel;
  static constexpr int kLanes = num::kLane;

  float* top;  ///< one a head
  float* sum;  ///< kLanes a head; in the end the first has their sum
  float* o;    ///< heads x padded width
  float* p;    ///< heads x kPanel
};

/// The work of one thread: consecutive rows of a group that start with a panel.
struct DecodeJob {
  int group;
  Run rows;
  bool beyond_cache;  ///< keys and values exceed the L2 cache
  DecodePart part;
};

}  // namespace oa::attention
