#pragma once

#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/model.h"

#include <string>
#include <vector>

namespace oa::app {

/// Sets whether x satisfies all constraints, values of integers, and prices of violated
/// soft constraints.  Removes the bound if x violates a constraint.
void judge(const qubo::Model& model, io::ResultLine& line);

/// Turns a result of the quadratic function made from `model` into a result of the
/// model: variables, energies and feasibility.  Bounds stay valid.
void decode(const qubo::Model& model, io::ResultLine& line);

/// Describes integers as digits, constraints as penalties in `f`, and the bits of its
/// weights; empty if the model has neither integers nor constraints.
[[nodiscard]] std::string penalty_warning(const qubo::Model& model,
                                          const qubo::Quadratic& f,
                                          const std::string& name);

/// Warns if a file of the format `to` changes f, which was made from the model:
/// negates f, adds penalties, or drops the constant.
[[nodiscard]] std::vector<std::string> conversion_warnings(const qubo::Model& model,
                                                           const qubo::Quadratic& f,
                                                           io::ProblemFormat to,
                                                           const std::string& name);

}  // namespace oa::app
