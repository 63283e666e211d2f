#pragma once

#include "oa/base/index.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// Tables of a program for the search of states (states.h).  A variable is called by
/// its place in the order in which variables get values.
class StateTables {
 public:
  using Activity = std::int64_t;

  struct Effect {
    std::size_t row;
    Activity weight;
  };
  struct Product {
    std::vector<int> places;  // rising
    Whole weight;
    Whole share;  // of the weight, for each variable if several are open
  };
  struct Multipliers {
    std::vector<Whole> of_rows;
    std::vector<Whole> sides;   // what is subtracted for each row
    std::vector<Whole> slopes;  // of each place: what rows add to its price
    std::vector<Whole> tails;   // of each place: the least sum of prices from there on
  };

  /// `program` must outlive it.  `known`: the value of a solution, for multipliers.
  StateTables(const WholeProgram& program, std::optional<Whole> known);

  /// True if the tables of the program fit into memory.
  [[nodiscard]] static bool suit(const WholeProgram& program);

  [[nodiscard]] Activity rest_least(int place, std::size_t row) const {
    return rests_[2 * (at(place) * rows.size() + row)];
  }
  [[nodiscard]] Activity rest_most(int place, std::size_t row) const {
    return rests_[2 * (at(place) * rows.size() + row) + 1];
  }

  int n;
  const std::vector<qubo::ProgramRow>& rows;
  int shift;  // of values, so that multipliers are whole
  Whole step;
  std::vector<int> order;
  std::vector<Whole> linear;
  std::vector<Product> products;  // rising last place
  std::vector<std::size_t>
      first_open;  // of each place: the first product that ends there or later
  std::vector<std::vector<std::uint64_t>>
      alive;                                 // of each place: those before it that
                                             // share a product with it or later ones
  std::vector<std::vector<Effect>> effects;  // of each place
  std::vector<int> last;                     // place of each row
  std::vector<Multipliers> bounds;

 private:
  void set_order(std::span<const double> below, std::span<const double> best);
  void set_products(const WholeProgram& program);
  void set_rests();
  void add_multipliers(std::span<const double> best);

  std::vector<Activity> rests_;  // of each place and row: least and most from there on
};

}  // namespace oa::solve
