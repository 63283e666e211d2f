#pragma once

#include "oa/io/stream/stream.h"
#include "oa/qubo/problem.h"

#include <vector>

namespace oa::io {

// Limits of a problem; oa-stream(5), LIMITS.
inline constexpr int kMaxVariables = 65536;
inline constexpr int kMaxQueries = 65536;
inline constexpr int kMaxWidth = 65536;

/// The shape of h, with an entry for each query and variable.
[[nodiscard]] Shape row_shape(const qubo::Problem& problem);
/// The shape of x, with an entry for each query and spin.
[[nodiscard]] Shape x_shape(const qubo::Problem& problem);

/// Reads the problem of a problem or solution frame.  Throws InputError unless J is
/// bitwise symmetric, all numbers are finite and the shapes agree.
[[nodiscard]] qubo::Problem read_problem(const Frame& frame);

/// Reads a problem whose coefficients are binary or levels; refuses other kinds.
[[nodiscard]] qubo::Problem read_qubo_problem(const Frame& frame);

/// Reads the problem and its solutions from a solution frame.
/// Real coefficients are continuous unless the head gives their kind.
/// Throws InputError if a coefficient is not of the head's kind, if an energy differs
/// from that of its x (recomputed, 1e-9 relative), or if a bound is above its energy.
[[nodiscard]] qubo::SolvedProblem read_solution(const Frame& frame);

/// Writes a frame, to which `metadata` and `more` (tensors) are added.
void write_problem(StreamWriter& writer,
                   const qubo::Problem& problem,
                   Metadata metadata = {},
                   std::vector<TensorView> more = {});
void write_solution(StreamWriter& writer,
                    const qubo::SolvedProblem& solution,
                    Metadata metadata = {},
                    std::vector<TensorView> more = {});

}  // namespace oa::io
