#pragma once

#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/polynomial.h"

#include <string>
#include <vector>

namespace oa::app {

/// Turns a result of the quadratic function made from `p` into a result of p:
/// variables, energies and feasibility.  Bounds stay valid.
void decode(const qubo::Polynomial& p, io::ResultLine& line);

/// A function without terms that has the variables of `p`, to write a result line.
[[nodiscard]] qubo::Quadratic face_of(const qubo::Polynomial& p);

/// Says that constraints of `p` became penalties of `f`; empty without constraints.
[[nodiscard]] std::string penalty_warning(const qubo::Polynomial& p,
                                          const qubo::Quadratic& f,
                                          const std::string& name);

/// Warnings of what a file of the format `to` changes: f is negated, stands for `p` if
/// that is not null, or loses its constant.
[[nodiscard]] std::vector<std::string> conversion_warnings(const qubo::Quadratic& f,
                                                           const qubo::Polynomial* p,
                                                           io::ProblemFormat to,
                                                           const std::string& name);

}  // namespace oa::app
