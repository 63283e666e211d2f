#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// A model without integers that an equation defines, as c = sum of x_i x_j defines c.
/// The expression replaces the integer, and the equation is dropped, if all values of
/// the expression are within the integer's bounds.  All numbers involved are whole.
class Defined {
 public:
  /// O(size of the model) without integers.  Each square of an integer costs a product
  /// of two expressions.
  explicit Defined(const Model& model);

  /// True if some integer was replaced.
  [[nodiscard]] bool any() const { return !definitions_.empty(); }
  [[nodiscard]] const Model& model() const { return model_; }
  /// The numbers of the remaining variables in the original model, increasing.
  [[nodiscard]] const std::vector<int>& variables() const { return variables_; }
  /// False if a value of some integer has several vectors of digits.
  [[nodiscard]] bool unique() const;

  /// Extends an x of model() to an x of the original model.
  [[nodiscard]] std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const;

 private:
  friend class Definer;

  struct Definition {
    Integer integer;
    std::vector<Monomial> side;  ///< the expression that equals it
  };

  std::size_t size_;  // variables of the original model
  Model model_;
  std::vector<int> variables_;
  std::vector<Definition> definitions_;  // a side may use digits of later definitions
};

}  // namespace oa::qubo
