#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"

#include <string_view>
#include <vector>

namespace oa::ref {

struct RandomProblem {
  std::string_view kind;
  qubo::Matrix j;
  std::vector<double> h;
};

/// A problem of n variables of one of the kinds below, as hard to get right as we can
/// think of: of low rank, of full rank, indefinite, with many ties, equal or idle
/// variables, huge and tiny, of very different sizes.
[[nodiscard]] RandomProblem random_problem(const Rng& rng, int n);

}  // namespace oa::ref
