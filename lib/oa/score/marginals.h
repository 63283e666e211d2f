#pragma once

#include "oa/qubo/problem.h"

#include <span>

namespace oa::score {

// Solutions made of samples: `shares` are those of each level, for each coefficient of
// each query; oa-stream(5), Samples.

/// Makes the coefficients of a solution their means over the samples.
void take_means(std::span<const float> shares, qubo::SolvedProblem& solution);

/// Makes each coefficient the level whose Gray code has the more frequent value of each
/// bit, so that the expected number of wrong bits is least.
void take_likeliest_bits(std::span<const float> shares, qubo::SolvedProblem& solution);

}  // namespace oa::score
