#pragma once

#include "oa/attention/kind.h"

namespace oa::attention {

// The kinds of the survey, each in <name>.cc or in the file of its family.
extern const Kind kFlash1;
extern const Kind kFlash2;
extern const Kind kMqa;
extern const Kind kGqa;
extern const Kind kWindow;
extern const Kind kStrided;
extern const Kind kDilated;
extern const Kind kLongformer;
extern const Kind kSparseTransformer;
extern const Kind kBigBird;
extern const Kind kBlockSparse;
extern const Kind kCsr;
extern const Kind kLearnedMask;
extern const Kind kTopk;
extern const Kind kThreshold;
extern const Kind kHard;
extern const Kind kLinformer;
extern const Kind kLinear;
extern const Kind kPerformer;
extern const Kind kRfa;
extern const Kind kMemory;
extern const Kind kGla;
extern const Kind kH3;
extern const Kind kMamba;
extern const Kind kDelta;
extern const Kind kGatedDelta;
extern const Kind kKda;
extern const Kind kTtt;
extern const Kind kMesa;
extern const Kind kIdentityQk;
extern const Kind kPool;

}  // namespace oa::attention
