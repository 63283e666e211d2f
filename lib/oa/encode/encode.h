#pragma once

#include "oa/attention/kind.h"
#include "oa/qubo/problem.h"

namespace oa::encode {

/// Turns what a model poses for an image into a problem of its own: J and h as
/// computed, V multiplied by the output scale, as it is aggregated.  `to` keeps its
/// index and label; its memory is used again.
void encode(const attention::Problem& problem, qubo::ImageProblem& to);

}  // namespace oa::encode
