#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/polynomial.h"

#include <cstdint>
#include <vector>

namespace oa::ref {

/// A polynomial of degree 0 to `degree` with repeated monomials and weights of 0.
qubo::Polynomial random_polynomial(Rng& rng, int n, int degree);

/// The x of a binary number, variable 0 first.
std::vector<std::uint8_t> nth_x(std::uint64_t index, int n);

/// The value of p to be minimised: that of -p if it is maximised.
double least_sense(const qubo::Polynomial& p, const std::vector<std::uint8_t>& x);

/// The first x in lexicographic order with the best value.
std::vector<std::uint8_t> best_of_all(const qubo::Polynomial& p);

}  // namespace oa::ref
