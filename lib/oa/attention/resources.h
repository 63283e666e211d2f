#pragma once

#include "oa/base/arena.h"

namespace oa::attention {

/// Where a layer at work takes its memory from, and what it is for.
struct Resources {
  Arena& kept;     ///< what the way back needs of the way forward; what decoding keeps
  Arena& scratch;  ///< all else: free to be overwritten between two calls
  bool backward = true;  ///< false: nothing is saved for a way back
  int threads = 1;       ///< results do not depend on it
};

}  // namespace oa::attention
