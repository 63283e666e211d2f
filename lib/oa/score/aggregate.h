#pragma once

#include "oa/attention/site.h"
#include "oa/num/matrix.h"
#include "oa/qubo/problem.h"

#include <span>

namespace oa::score {

/// The coefficients as rows of m numbers, 0 beyond the variables of a query.  Levels
/// are decoded, and repaired if they violate their encoding.
[[nodiscard]] num::Matrix coefficients_of(const qubo::SolvedProblem& solution);

/// The outputs of attention for one example:
///   o_i = residual_i + sum over heads of a_i V,
/// where a_i are the normalised coefficients of query i.  `heads` are all heads in
/// order; the first has the residual.  o is (n,d).
void aggregate(std::span<const qubo::SolvedProblem> heads,
               attention::Normalization how,
               num::View o);

}  // namespace oa::score
