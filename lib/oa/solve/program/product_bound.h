#pragma once

#include "oa/solve/program/propagation.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {

/// Lower bounds of a quadratic program by Lagrangian decomposition: each variable x_j
/// has a subproblem, the linear program of the other variables if x_j = 1, whose costs
/// are shares of the products with x_j.  The main problem chooses subproblems. (Adams
/// and Johnson, "Improved linear programming-based lower bounds for the quadratic
/// assignment problem", 1994; Caprara, Pisinger and Toth, "Exact solution of the
/// quadratic knapsack problem", 1999.)
///
/// A product has two shares, one in each variable's subproblem; only their sum is
/// given. Rows with common variables have prices.  Any shares and prices give a valid
/// bound. All are whole numbers of 2^-shift units in doubles, with sums below 2^53:
/// exact.
class ProductBound {
 public:
  enum class Way {
    Even,  ///< evens out reduced costs of both shares of products; for assignments
    Step   ///< subgradient steps; for knapsacks
  };

  static constexpr int kMaxVariables = 600;

  /// True if p has products of two variables, and neither too many variables nor
  /// digits.
  [[nodiscard]] static bool suits(const WholeProgram& p);

  /// `p` must outlive this.
  explicit ProductBound(const WholeProgram& p);

  /// Limits the problem to open variables; the others keep their values.
  void enter(const Propagation& values);

  /// Computes the bound for present shares, in multiples of 2^-shift() units.
  double evaluate();

  /// Improves shares and prices after evaluate().  Steps are `pace` times those that
  /// would add `missing` to the bound if it were linear.
  void improve(Way way, double pace, double missing);

  [[nodiscard]] int shift() const { return shift_; }
  [[nodiscard]] std::span<const std::int32_t> open() const { return open_; }
  /// The other value of variable i adds at least the magnitude to the bound:
  /// 1 if the reduced cost is positive, else 0.
  [[nodiscard]] double reduced_cost(std::int32_t i) const {
    return main_[static_cast<std::size_t>(i)];
  }

  /// Shares and prices.
  struct Prices {
    std::vector<double> shares;   // n x n; [j, i]: cost of x_i in the subproblem of x_j
    std::vector<double> of_rows;  // n x priced rows; prices in subproblems
    std::vector<double> of_main;  // prices of the same rows in the main problem
  };
  [[nodiscard]] const Prices& prices() const { return prices_; }
  void set_prices(Prices prices) { prices_ = std::move(prices); }

 private:
  struct Row {
    std::vector<std::pair<std::int32_t, double>> entries;  // open variables
    std::vector<double> weights;  // n; 0 for variables of other rows
    double low = 0.0;             // limits for the sum over open variables
    double high = 0.0;
    double square = 1.0;  // sum of squared weights
    double max_price = 0.0;
    bool priced = false;
  };
  struct Change {
    double ratio;  // cost of a change / change of the sum
    double size;
    std::int32_t variable;
  };

  double solve(std::span<double> costs, std::span<double> x, std::int32_t one);
  double close(const Row& row,
               std::span<const double> costs,
               std::span<double> x,
               std::int32_t one);
  double solve_subproblem(std::int32_t j);
  void even_out(std::int32_t j);
  void step(double pace, double missing, bool shares);
  bool shift_share(std::int32_t j, std::int32_t i, double change);
  [[nodiscard]] static double error(const Row& row, double sum, double price);

  [[nodiscard]] std::size_t cell(std::int32_t j, std::int32_t i) const {
    return static_cast<std::size_t>(j) * linear_.size() + static_cast<std::size_t>(i);
  }

  const WholeProgram& p_;
  int shift_ = 0;
  double max_share_ = 0.0;
  std::vector<double> linear_;
  std::vector<double> products_;  // n x n
  std::vector<Row> rows_;
  std::vector<std::size_t> priced_;
  std::vector<std::size_t> solved_;  // rows without common variables
  std::vector<bool> in_solved_;      // true for variables of such rows
  Prices prices_;

  std::vector<std::int32_t> open_;
  double constant_ = 0.0;      // the cost of variables that are 1
  std::vector<double> costs_;  // linear, with products of variables that are 1
  std::vector<double> picks_;  // n x n; solutions of subproblems
  std::vector<double> slack_;  // n x n; reduced costs of subproblems
  std::vector<double> count_;  // number of ones in each solution
  std::vector<double> x_;      // solution of the main problem
  std::vector<double> main_;   // reduced costs of the main problem
  std::vector<Change> changes_;
};

}  // namespace oa::solve
