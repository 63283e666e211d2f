#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// Replaces integers that an equation defines, as c = sum of x_i x_j defines c.
/// The expression replaces the integer, and the equation is dropped, if all values of
/// the expression are within the integer's bounds.  All numbers involved are whole.
class Defined {
 public:
  /// Takes O(size of the model) if there are no integers.
  /// Each square of an integer costs a product of two expressions.
  explicit Defined(const Model& model);

  /// True if some integer was replaced.
  [[nodiscard]] bool any() const { return !definitions_.empty(); }
  [[nodiscard]] const Model& model() const { return model_; }
  /// The indices of the remaining variables in the original model, ascending.
  [[nodiscard]] const std::vector<int>& variables() const { return variables_; }
  /// False if a value of an integer has several vectors of digits.
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
