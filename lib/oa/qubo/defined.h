#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// A model without the integers that its equations define, as
///   c = sum of x_i x_j
/// does.  Each is replaced by the other side of its equation, where all values of that
/// side are within the bounds of the integer, and the equation goes.  The numbers
/// involved are whole.
class Defined {
 public:
  /// O(size of the model) without integers; a product of two sides for each square of
  /// an integer.
  explicit Defined(const Model& model);

  /// True if some integer was replaced.
  [[nodiscard]] bool any() const { return !definitions_.empty(); }
  [[nodiscard]] const Model& model() const { return model_; }
  /// The numbers of the variables that are left, rising.
  [[nodiscard]] const std::vector<int>& variables() const { return variables_; }
  /// False if some integer has several vectors of digits for one value.
  [[nodiscard]] bool unique() const;

  /// The x of the whole model for an x of model().
  [[nodiscard]] std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const;

 private:
  friend class Definer;

  struct Definition {
    Integer integer;
    std::vector<Monomial> side;  ///< the value of its digits
  };

  std::size_t size_;  // variables of the whole
  Model model_;
  std::vector<int> variables_;
  std::vector<Definition> definitions_;  // a side may have digits of later ones
};

}  // namespace oa::qubo
