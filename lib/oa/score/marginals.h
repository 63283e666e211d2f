#pragma once

#include "oa/qubo/problem.h"

#include <span>

namespace oa::score {

// Solutions from samples.  `shares` has the share of samples with each level,
// for each coefficient of each query; oa-stream(5), Samples.

/// Sets each coefficient to its mean over the samples.
void take_means(std::span<const float> shares, qubo::SolvedProblem& solution);

/// Sets each coefficient to the level whose Gray code has the more frequent value in
/// each bit, which minimises the expected number of wrong bits.
void take_likeliest_bits(std::span<const float> shares, qubo::SolvedProblem& solution);

}  // namespace oa::score
