#pragma once

#include "oa/base/index.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// Tables of a program for search_states() (states.h).  Variables are numbered by their
/// place in the order in which they get values.
class StateTables {
 public:
  using Activity = std::int64_t;

  struct Effect {
    std::size_t row;
    Activity weight;
  };
  struct Product {
    std::vector<int> places;  // increasing
    Whole weight;
    Whole share;  // of the weight, for each of several open variables
  };
  struct Multipliers {
    std::vector<Whole> of_rows;
    std::vector<Whole> sides;   // subtracted for each row
    std::vector<Whole> slopes;  // of each place: what rows add to its price
    std::vector<Whole> tails;   // of each place: least sum of prices from it on
  };

  /// `program` must outlive this.  `known` is a solution's value, for multipliers.
  StateTables(const WholeProgram& program, std::optional<Whole> known);

  /// True if the tables fit into memory.
  [[nodiscard]] static bool suit(const WholeProgram& program);

  [[nodiscard]] Activity rest_least(int place, std::size_t row) const {
    return rests_[2 * (at(place) * rows.size() + row)];
  }
  [[nodiscard]] Activity rest_most(int place, std::size_t row) const {
    return rests_[2 * (at(place) * rows.size() + row) + 1];
  }

  int n;
  const std::vector<qubo::ProgramRow>& rows;
  int shift;  // of values: makes multipliers whole
  Whole step;
  std::vector<int> order;
  std::vector<Whole> linear;
  std::vector<Product> products;  // sorted by last place
  std::vector<std::size_t>
      first_open;  // of each place: first product that ends at or after it
  std::vector<std::vector<std::uint64_t>>
      alive;                                 // of each place: earlier places that
                                             // share a product with it or a later one
  std::vector<std::vector<Effect>> effects;  // of each place
  std::vector<int> last;                     // last place of each row
  std::vector<Multipliers> bounds;

 private:
  void set_order(std::span<const double> below, std::span<const double> best);
  void set_products(const WholeProgram& program);
  void set_rests();
  void add_multipliers(std::span<const double> best);

  std::vector<Activity> rests_;  // of each place and row: range of the sum from it on
};

}  // namespace oa::solve
