#pragma once

#include "oa/io/bytes/input.h"
#include "oa/qubo/polynomial.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Files of polynomials of any degree and of programs with linear constraints; what
// read_problems() reduces to a quadratic function.

namespace oa::io {

[[nodiscard]] qubo::Polynomial read_hubo(Input& input);
[[nodiscard]] qubo::Polynomial read_lp(Input& input);

/// Whether text begins a file in the format hubo: its line "p hubo", or JSON with
/// "hubo".
[[nodiscard]] bool looks_like_hubo(std::string_view start);
/// Whether text begins as a file in the format lp does: with what is to be optimised.
[[nodiscard]] bool looks_like_lp(std::string_view start);

/// Numbers variables as their names come.
class VariableNames {
 public:
  explicit VariableNames(const std::string& where) : where_(where) {}

  /// Throws InputError beyond the limit.
  std::int32_t operator()(std::string_view name);
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  const std::string& where_;
  std::vector<std::string> names_;
  std::map<std::string, std::int32_t, std::less<>> places_;
};

/// A product of variables that may come several times: x x is x for 0/1 variables, and
/// 1 for spins.
[[nodiscard]] qubo::Monomial monomial_of(std::vector<std::int32_t> variables,
                                         double weight,
                                         qubo::Vartype vartype);

}  // namespace oa::io
