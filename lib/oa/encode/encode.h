#pragma once

#include "oa/attention/kind.h"
#include "oa/qubo/problem.h"

#include <span>
#include <vector>

namespace oa::encode {

/// Makes stand-alone problems from those that a model poses for an example,
/// one for each head of layer `layer`: J and h as computed, V times the output scale.
/// Query i of a causal head has the first i + 1 variables.  `queries` selects queries
/// in ascending order; empty: all queries.  The first head gets index, label,
/// residual and targets of `example`, other heads only index and label.
[[nodiscard]] std::vector<qubo::Problem> encode(
    std::span<const attention::Problem> heads,
    int layer,
    const qubo::Problem& example,
    std::span<const int> queries = {});

}  // namespace oa::encode
