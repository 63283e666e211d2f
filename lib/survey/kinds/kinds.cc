#include "survey/kinds/kinds.h"

#include "oa/attention/kind_library.h"
#include "oa/base/version.h"

#include <array>

namespace oa::attention {
namespace {

// In the order of the manual.
constexpr std::array kKinds{&kFlash1,      &kFlash2,      &kMqa,
                            &kGqa,         &kWindow,      &kStrided,
                            &kDilated,     &kLongformer,  &kSparseTransformer,
                            &kBigBird,     &kBlockSparse, &kCsr,
                            &kLearnedMask, &kTopk,        &kThreshold,
                            &kHard,        &kLinformer,   &kLinear,
                            &kPerformer,   &kRfa,         &kMemory,
                            &kGla,         &kH3,          &kMamba,
                            &kDelta,       &kGatedDelta,  &kKda,
                            &kTtt,         &kMesa,        &kIdentityQk,
                            &kPool};

}  // namespace
}  // namespace oa::attention

const oa::attention::KindLibrary oa_kinds{oa::kVersion, oa::attention::kKinds};
