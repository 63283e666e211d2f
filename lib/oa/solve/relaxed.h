#pragma once

#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A program whose rows have prices instead: an equation its square times `price`, an
/// inequality what it is missed by times `price`, which is not negative.  That is a
/// quadratic function below the objective wherever the rows hold, so that its least
/// value is a bound.  Prices that are small leave it easy to solve.
class RelaxedProgram {
 public:
  /// `known` satisfies all rows of `program`, which must outlive this.  Prices are
  /// those at which no flip of one variable of `known` pays.
  RelaxedProgram(const qubo::Program& program, std::span<const std::uint8_t> known);

  /// To be minimised; its first variables are those of the program.
  [[nodiscard]] qubo::Quadratic function() const;

  /// Learns from an x that minimises function(), whose value is `below` that of what is
  /// known: prices of rows that it misses rise, those of inequalities that it leaves
  /// room in fall.  False if that changes nothing.
  bool learn(std::span<const std::uint8_t> x, double below);

  /// Takes the prices back to those of the last keep().
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
