#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// An equivalent model without soft constraints, whose constraints are all linear.
/// The first variables are those of the original model; optimal values are equal.
///
/// For a product in a constraint, adds a variable z = x_1...x_d.
/// The constraints of z give tight linear relaxations,
///   z <= x_i for each i,  z >= x_1 + ... + x_d - (d - 1),
/// or, for penalties, there is only one: 0 <= x_1 + ... + x_d - d z <= d - 1.
/// A soft constraint of flat price becomes the product of its negated literals if it is
/// a clause; any other gets a variable that relaxes it.  With another price,
/// it becomes a sum in the objective if its violation has one sign or is the square of
/// an equation.  Otherwise a number v of several digits holds the violation:
///   sum - v <= right,  sum + v >= right.
class Lowered {
 public:
  /// The constraints that define a product: several for relaxations, or one.
  enum class Products : std::uint8_t { Relaxed, One };

  /// True if the model has products in constraints or soft constraints.
  [[nodiscard]] static bool needed(const Model& model);

  /// Requires whole constraints and binary variables.
  /// Throws InputError, prefixed with `where`, if there are too many products or terms.
  explicit Lowered(const Model& model,
                   const std::string& where = "the problem",
                   Products products = Products::Relaxed);

  [[nodiscard]] const Model& model() const { return model_; }

  /// False if several optima of model() may belong to one optimum of the original.
  [[nodiscard]] bool unique() const;

  /// Maps an x of model() to the original; equal integers get equal digits.
  [[nodiscard]] std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const;
  /// Returns the best x of model() for an x of the original model.
  [[nodiscard]] std::vector<std::uint8_t> forward(
      std::span<const std::uint8_t> x) const;

 private:
  friend class Lowering;

  struct Amount {
    SoftConstraint soft;
    Integer digits;
  };

  int n_;
  Model model_;
  std::vector<Integer> integers_;  // of the original model
  std::map<std::vector<std::int32_t>, std::int32_t> products_;
  std::vector<Amount> amounts_;
};

/// Returns one or two constraints that demand c if r is 1.
[[nodiscard]] std::vector<Constraint> relaxed(const Constraint& c, std::int32_t r);

}  // namespace oa::qubo
