#pragma once

#include "oa/attention/site.h"
#include "oa/num/matrix.h"
#include "oa/qubo/problem.h"

#include <span>

namespace oa::score {

/// The coefficients as rows of m numbers, with 0 for variables that a query has not;
/// those of levels are decoded, and repaired where their encoding is violated.
[[nodiscard]] num::Matrix coefficients_of(const qubo::SolvedProblem& solution);

/// The rows that an attention hands on for one example:
///   o_i = residual_i + sum over heads of a_i V,
/// with a_i the head's normalised coefficients of query i.  `heads` are all of one
/// example, in their order; the residual is that of the first.  o is (n,d).
void aggregate(std::span<const qubo::SolvedProblem> heads,
               attention::Normalization how,
               num::View o);

}  // namespace oa::score
