#pragma once

#include "oa/attention/kind.h"
#include "oa/qubo/problem.h"

namespace oa::encode {

/// What a model poses for an image, as a problem of its own: J and h as computed, V as
/// it is aggregated (the output scale is in it).  `to` keeps its index and label; its
/// memory is used again.
void encode(const attention::Problem& problem, qubo::ImageProblem& to);

}  // namespace oa::encode
