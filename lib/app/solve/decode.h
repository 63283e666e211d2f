#pragma once

#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/model.h"

#include <string>
#include <vector>

namespace oa::app {

/// Sets whether x satisfies all constraints, the values of its integers, and what it
/// pays for soft constraints.  If x satisfies not all, there is no bound.
void judge(const qubo::Model& model, io::ResultLine& line);

/// Turns a result of the quadratic function made from `model` into a result of the
/// model: variables, energies and feasibility.  Bounds stay valid.
void decode(const qubo::Model& model, io::ResultLine& line);

/// Says that integers became digits and constraints penalties of `f`, and how many bits
/// its weights need; empty without them.
[[nodiscard]] std::string penalty_warning(const qubo::Model& model,
                                          const qubo::Quadratic& f,
                                          const std::string& name);

/// Warnings of what a file of the format `to` changes: f, made from the model, is
/// negated, has penalties, or loses its constant.
[[nodiscard]] std::vector<std::string> conversion_warnings(const qubo::Model& model,
                                                           const qubo::Quadratic& f,
                                                           io::ProblemFormat to,
                                                           const std::string& name);

}  // namespace oa::app
