#pragma once

#include "exact/stated.h"
#include "exact/weights.h"
#include "oa/base/rng.h"
#include "oa/io/quadratic/problem_file.h"

#include <string>

namespace oa::exact {

/// A file and what it states.
struct ProblemText {
  io::ProblemFormat format = io::ProblemFormat::Qubo;
  std::string bytes;
  io::ProblemSettings reading;  ///< the options that reading it takes
  Stated stated;
};

/// Writes `weights` in a random format, in one of the ways that the format allows:
/// entries in any order, some of them in parts that add up, numbers in several forms.
[[nodiscard]] ProblemText random_text(Rng& rng,
                                      const Draw& draw,
                                      const Weights& weights);

/// `value` in one of several forms that read back as the same number.
[[nodiscard]] std::string random_number(Rng& rng, double value);

}  // namespace oa::exact
