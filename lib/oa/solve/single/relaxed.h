#pragma once

#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A relaxation of a program: priced terms replace its rows.  An equation adds a slope
/// times its error and `price` times the squared error, an inequality adds a price >= 0
/// times (sum - limit).
/// At feasible x, the function does not exceed the objective,
/// so its minimum is a bound.  Small prices keep the function easy to minimise.
class RelaxedProgram {
 public:
  /// `known` is feasible for `program`, which must outlive this.
  /// Initial prices are the least at which no flip of `known` pays off.
  RelaxedProgram(const qubo::Program& program, std::span<const std::uint8_t> known);

  /// The function to minimise; its first variables are those of the program.
  [[nodiscard]] qubo::Quadratic function() const;

  /// Adapts prices to an x that minimises function(),
  /// by `below` less than the best known value.  Prices of violated rows rise,
  /// prices of inequalities with slack fall.  Returns false if no price changes.
  bool learn(std::span<const std::uint8_t> x, double below);

  [[nodiscard]] bool has_inequalities() const;

  /// Saves the prices for restore().
  void keep() { kept_ = prices_; }
  void restore();

 private:
  const qubo::Program& program_;
  qubo::Quadratic objective_;
  std::vector<double> slopes_;
  std::vector<double> prices_;
  std::vector<double> kept_;
  double pace_ = 1.0;
};

}  // namespace oa::solve
