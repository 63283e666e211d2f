#pragma once

#include "oa/attention/kind.h"
#include "oa/qubo/problem.h"

#include <span>
#include <vector>

namespace oa::encode {

/// Turns what a model poses for an example, one problem for each head of layer `layer`,
/// into problems of their own: J and h as computed, V multiplied by the output scale,
/// as it is aggregated.  Query i of a causal head has the first i + 1 variables.
/// `queries` are the queries to keep, increasing; none: all.  The first head gets what
/// `example` says of index, label, residual and targets; the others get index and
/// label.
[[nodiscard]] std::vector<qubo::Problem> encode(
    std::span<const attention::Problem> heads,
    int layer,
    const qubo::Problem& example,
    std::span<const int> queries = {});

}  // namespace oa::encode
