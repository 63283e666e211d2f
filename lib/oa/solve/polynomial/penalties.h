#pragma once

#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A literal: 2 i + 1 is x_i, 2 i is "not x_i".
using Literal = std::int32_t;

[[nodiscard]] constexpr int variable_of(Literal literal) {
  return literal / 2;
}
[[nodiscard]] constexpr Literal negated(Literal literal) {
  return literal ^ 1;
}

/// The condition under which a term costs something.
enum class Pays : std::uint8_t {
  IfAll,      ///< if all literals are true
  UnlessAll,  ///< if some literal is false
  IfOdd,      ///< if an odd number of literals is true
};

/// A polynomial as a constant plus nonnegative costs of terms:
/// a posiform (Boros and Hammer, "Pseudo-Boolean optimization",
/// 2002) with two more kinds of terms.  The constant is a lower bound.
struct Penalties {
  struct Term {
    Pays pays;
    Whole cost;
  };

  int n = 0;
  int unit = 0;  ///< costs are multiples of 2^unit
  Whole constant = 0;
  std::vector<Whole> unary;               ///< cost of each literal if true
  std::vector<Term> terms;                ///< terms of at least two literals
  std::vector<std::size_t> begins = {0};  ///< first literal of each term
  std::vector<Literal> literals;

  [[nodiscard]] std::span<const Literal> of(std::size_t term) const {
    return std::span(literals).subspan(begins[term], begins[term + 1] - begins[term]);
  }
  void append(Term term, std::span<const Literal> of_term);
};

/// Converts p to the form with the larger constant: over spins with odd terms,
/// or over binary variables with literals that maximise the constant.
/// For MAX-SAT, terms are the clauses.
[[nodiscard]] Penalties penalties_of(const WholePolynomial& p);

}  // namespace oa::solve
