#pragma once

#include "oa/attention/kind.h"
#include "oa/qubo/problem.h"

#include <span>
#include <vector>

namespace oa::encode {

/// Turns what a model poses for an image into a problem of its own: J and h as
/// computed, V multiplied by the output scale, as it is aggregated.  `to` keeps its
/// index and label; its memory is used again.
void encode(const attention::Problem& problem, qubo::ImageProblem& to);

/// The same for all heads of an example, of layer `layer`: query i of a causal head has
/// the first i + 1 variables.  The first head gets what `example` says of index, label,
/// residual and targets; the others get index and label.
[[nodiscard]] std::vector<qubo::ImageProblem> encode(
    std::span<const attention::Problem> heads,
    int layer,
    const qubo::ImageProblem& example);

}  // namespace oa::encode
