#pragma once

#include "exact/stated.h"
#include "exact/weights.h"
#include "oa/base/rng.h"
#include "oa/io/quadratic/problem_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::exact {

/// A number as its file writes it.
struct Written {
  std::string text;
  Exact value;
};

struct Product {
  std::vector<int> variables;
  Written weight;
};

struct Limit {
  std::vector<Written> weights;  ///< of each variable
  int relation = 0;              ///< below 0: at most; 0: equal; above 0: at least
  Written right;
  Written range;       ///< to the other side of the row, the limit before; or no text
  bool rough = false;  ///< numbers are too long to be meant exactly
};

/// A polynomial with linear constraints, as its file states it.
struct Program {
  int n = 0;
  bool spins = false;
  bool maximise = false;
  std::vector<Product> products;
  std::vector<Limit> limits;
  io::ProblemFormat format = io::ProblemFormat::Hubo;
  std::string bytes;
};

/// Draws a program with weights of a family, and writes it in a random format.
[[nodiscard]] Program random_program(Rng& rng, const Draw& draw);

/// Errors of the library with it, a line each, "kind: what".
[[nodiscard]] std::vector<std::string> wrong_in(const Program& program, Rng& rng);

}  // namespace oa::exact
