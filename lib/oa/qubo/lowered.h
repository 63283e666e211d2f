#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// A model as one with linear constraints, none of them soft, and with the same optimal
/// value.  Its first variables are those of the model.
///
/// A product in a constraint is a variable z = x_1...x_d, by constraints that linear
/// relaxations like,
///   z <= x_i for each i,  z >= x_1 + ... + x_d - (d - 1),
/// or by one, for penalties: 0 <= x_1 + ... + x_d - d z <= d - 1.
/// A soft clause with a flat price is the product of its negated literals; another flat
/// one has a variable that relaxes it.  The violation of others is a sum in the
/// objective where it has one sign or is the square of an equation, else a number v of
/// several digits with
///   sum - v <= right,  sum + v >= right.
class Lowered {
 public:
  /// The constraints of a product.
  enum class Products : std::uint8_t { Relaxed, One };

  /// True if the model has something to change.
  [[nodiscard]] static bool needed(const Model& model);

  /// Constraints have whole numbers, and variables are binary.  Throws InputError,
  /// which begins with `where`, if there are too many products or terms.
  explicit Lowered(const Model& model,
                   const std::string& where = "the problem",
                   Products products = Products::Relaxed);

  [[nodiscard]] const Model& model() const { return model_; }

  /// False if several optima of model() may be one.
  [[nodiscard]] bool unique() const;

  /// The x of the model for an x of model(); equal integers get equal digits.
  [[nodiscard]] std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const;
  /// The best x of model() for an x of the model.
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
  std::vector<Integer> integers_;  // of the model
  std::map<std::vector<std::int32_t>, std::int32_t> products_;
  std::vector<Amount> amounts_;
};

/// The constraint as one or two that hold if r is 1.
[[nodiscard]] std::vector<Constraint> relaxed(const Constraint& c, std::int32_t r);

}  // namespace oa::qubo
