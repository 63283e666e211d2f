#pragma once

#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A relaxation of a program: terms with prices replace its rows.  An equation adds
/// `price` times the square of its error, an inequality adds a price of at least 0
/// times its sum minus its limit.  The quadratic function is not above the objective
/// where the rows hold, so its minimum is a bound.  Small prices keep it easy to solve.
class RelaxedProgram {
 public:
  /// `known` satisfies all rows of `program`, which must outlive this.  The first
  /// prices are the least ones at which no flip of a variable of `known` pays.
  RelaxedProgram(const qubo::Program& program, std::span<const std::uint8_t> known);

  /// A function to be minimised; its first variables are those of the program.
  [[nodiscard]] qubo::Quadratic function() const;

  /// Adapts the prices to an x that minimises function() with a value `below` less than
  /// the best known.  Prices of violated rows rise, those of inequalities with room
  /// fall.  False if no price changes.
  bool learn(std::span<const std::uint8_t> x, double below);

  /// Saves the prices; restore() returns to them.
  void keep() { kept_ = prices_; }
  void restore();

 private:
  const qubo::Program& program_;
  qubo::Quadratic objective_;
  std::vector<double> prices_;
  std::vector<double> kept_;
  double pace_ = 1.0;
};

}  // namespace oa::solve
