#pragma once

#include "app/context.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::app {

/// Turns a result of the quadratic function made from `p` into a result of p:
/// variables, energies and feasibility.  Bounds stay valid.
void decode(const qubo::Polynomial& p, io::ResultLine& line);

/// A function without terms that has the variables of `p`, to write a result line.
[[nodiscard]] qubo::Quadratic face_of(const qubo::Polynomial& p);

/// Warns that constraints of `p` became penalties of `f`.
void say_penalties(const qubo::Polynomial& p,
                   const qubo::Quadratic& f,
                   const std::string& name,
                   Context& context);

}  // namespace oa::app
