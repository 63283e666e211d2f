#pragma once

#include "oa/attention/site.h"
#include "oa/num/matrix.h"
#include "oa/qubo/problem.h"

#include <span>

namespace oa::score {

/// Returns the coefficients as rows of m numbers, 0 beyond the variables of a query.
/// Decodes levels, and repairs levels that violate their encoding.
[[nodiscard]] num::Matrix coefficients_of(const qubo::SolvedProblem& solution);

/// Computes the outputs of attention for one example:
///   o_i = residual_i + sum over heads of a_i V,
/// where a_i are the normalised coefficients of query i.  `heads`: all heads in order;
/// the first has the residual. o is (n,d).
void aggregate(std::span<const qubo::SolvedProblem> heads,
               attention::Normalization how,
               num::View o);

}  // namespace oa::score
