#pragma once

#include "oa/base/arena.h"

namespace oa::attention {

/// The memory of a layer at work, and its purpose.
struct Resources {
  Arena& kept;           ///< what backward needs of forward; the state of decoding
  Arena& scratch;        ///< all other memory; free between two calls
  bool backward = true;  ///< false: nothing is saved for backward
  int threads = 1;       ///< results do not depend on it
};

}  // namespace oa::attention
