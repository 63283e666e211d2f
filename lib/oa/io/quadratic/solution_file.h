#pragma once

#include "oa/io/bytes/output.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/result_line.h"

#include <optional>
#include <string>

namespace oa::io {

/// A solved problem, to be written in the style of its format.
struct SolvedFile {
  const ResultLine& result;
  const qubo::Model& model;
  ProblemFormat format;
  std::optional<GraphGoal> graph;
};

/// Writes the best x; oa-formats(5), SOLUTIONS.  If `path` ends in .sol, or the format
/// defines no solutions, writes a line for each variable, as Gurobi reads it.
void write_solution_file(Output& output,
                         const std::string& path,
                         const SolvedFile& solved);

}  // namespace oa::io
