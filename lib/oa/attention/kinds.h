#pragma once

#include "oa/attention/kind.h"

namespace oa::attention {

// The kinds of the core, each in <name>.cc.
extern const Kind kOptimizing;
extern const Kind kSoftmax;
extern const Kind kUniform;
extern const Kind kMlp;
extern const Kind kQuery;

}  // namespace oa::attention
