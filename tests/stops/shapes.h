#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/program/whole_program.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::stops {

/// A function, and further problems made of it unless it is too large; these are then
/// empty.
struct Shape {
  std::string name;
  qubo::Quadratic f;
  qubo::Polynomial crowded = {};  ///< at most three of ten neighbours are 1
  qubo::Polynomial linear = {};   ///< the same without products
  std::optional<qubo::Model> crowded_model = {};
  std::optional<qubo::Model> linear_model = {};
  qubo::Quadratic reduced = {};       ///< constraints as squares
  solve::WholePolynomial cubic = {};  ///< the function and products of three neighbours
};

[[nodiscard]] std::vector<Shape> shapes(Rng& rng);

}  // namespace oa::stops
