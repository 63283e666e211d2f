#pragma once

#include "app/context.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::app {

/// Makes the result of the quadratic function that stands for `p` a result of p: its
/// variables, energies and whether its constraints hold.  A bound of the one is a bound
/// of the other.
void decode(const qubo::Polynomial& p, io::ResultLine& line);

/// What a result line says of the variables of `p`, as a function without terms.
[[nodiscard]] qubo::Quadratic face_of(const qubo::Polynomial& p);

/// Says that the constraints of `p`, if it has some, became penalties of `f`.
void say_penalties(const qubo::Polynomial& p,
                   const qubo::Quadratic& f,
                   const std::string& name,
                   Context& context);

}  // namespace oa::app
