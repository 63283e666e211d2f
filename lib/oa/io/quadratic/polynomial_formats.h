#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/graph.h"
#include "oa/qubo/polynomial.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Readers of polynomials of any degree and of programs with linear constraints, which
// read_problems() reduces to quadratic functions.

namespace oa::io {

/// What a reader found missing in a file.
struct Open {
  bool sense = false;   ///< no sense: minimised unless the user says otherwise
  std::string warning;  ///< empty: none
};

[[nodiscard]] qubo::Polynomial read_hubo(Input& input, Open& open);
[[nodiscard]] qubo::Polynomial read_lp(Input& input);
[[nodiscard]] qubo::Polynomial read_mps(Input& input, Open& open);
[[nodiscard]] qubo::Polynomial read_cnf(Input& input);
[[nodiscard]] qubo::Polynomial read_opb(Input& input);
[[nodiscard]] Graph read_graph(Input& input);

/// True if text begins as a file of the format hubo:
/// with the line "p hubo", or as JSON with "hubo".
[[nodiscard]] bool looks_like_hubo(std::string_view start);
/// True if text begins as a file of the format lp: with the sense of the objective.
[[nodiscard]] bool looks_like_lp(std::string_view start);
/// True if text begins as a file of the format mps: with NAME or OBJSENSE, then ROWS.
[[nodiscard]] bool looks_like_mps(std::string_view start);

/// True if text begins as a file of the format opb: with an objective or a constraint.
[[nodiscard]] bool looks_like_opb(std::string_view start);

/// Numbers variables in the order of their first use.
class VariableNames {
 public:
  explicit VariableNames(const std::string& where) : where_(where) {}

  /// Throws InputError if there are too many.
  std::int32_t operator()(std::string_view name);
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  const std::string& where_;
  std::vector<std::string> names_;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> places_;
};

/// Adds a product with repeated variables: x x is x for 0/1 variables, and 1 for spins.
void add_monomial(qubo::Polynomial& p,
                  std::vector<std::int32_t> variables,
                  const TwoDoubles& weight);

/// A variable x, or 1 - x.
struct Literal {
  std::int32_t variable = 0;
  bool negated = false;
};

/// The maximum number of negated literals in a product: n literals give 2^n monomials.
inline constexpr int kMaxNegated = 16;

/// Sorts literals and removes copies.  False if both x and 1 - x are present.
[[nodiscard]] bool simplify(std::vector<Literal>& literals);

/// Adds weight times the product of simplified literals to the objective.
void add_product(qubo::Polynomial& p, double weight, std::span<const Literal> literals);

/// "At least one of simplified literals is true" as a linear constraint.
[[nodiscard]] qubo::Constraint clause_of(std::string name,
                                         std::span<const Literal> literals);

/// Adds `weight` if no literal is true: as a product or, for many positive literals,
/// by an auxiliary variable `extra`, which is then incremented.
void add_soft_clause(qubo::Polynomial& p,
                     double weight,
                     std::string name,
                     std::span<const Literal> literals,
                     std::int32_t& extra);

}  // namespace oa::io
