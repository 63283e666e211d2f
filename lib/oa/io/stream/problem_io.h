#pragma once

#include "oa/io/stream/stream.h"
#include "oa/qubo/problem.h"

#include <vector>

namespace oa::io {

// Limits of a problem; oa-stream(5), LIMITS.
inline constexpr int kMaxVariables = 65536;
inline constexpr int kMaxQueries = 65536;
inline constexpr int kMaxWidth = 65536;

/// The shape of a tensor of a frame that has a row for each query: that of h.
[[nodiscard]] Shape row_shape(const qubo::Problem& problem);
/// The same with a place for each spin: that of x.
[[nodiscard]] Shape x_shape(const qubo::Problem& problem);

/// The problem in a problem or solution frame.  Throws InputError unless J is bitwise
/// symmetric, all is finite and the shapes agree.
[[nodiscard]] qubo::Problem read_problem(const Frame& frame);

/// The same, refusing what is no QUBO: all but binary coefficients and levels.
[[nodiscard]] qubo::Problem read_qubo_problem(const Frame& frame);

/// The problem and its solutions in a solution frame; where these are real numbers and
/// the head says nothing, coefficients are continuous.  Throws InputError also where a
/// coefficient is not of the kind that the head says, an energy is not that of its x
/// (recomputed, 1e-9 relative) or a bound lies above its energy.
[[nodiscard]] qubo::SolvedProblem read_solution(const Frame& frame);

/// `metadata` and `more` are what the frame says beside its problem or solution.
void write_problem(StreamWriter& writer,
                   const qubo::Problem& problem,
                   Metadata metadata = {},
                   std::vector<TensorView> more = {});
void write_solution(StreamWriter& writer,
                    const qubo::SolvedProblem& solution,
                    Metadata metadata = {},
                    std::vector<TensorView> more = {});

}  // namespace oa::io
