#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// A model with values for some variables, as a model of the others.
class Fixed {
 public:
  /// `values` has 0, 1 (the spin +1) or kFree for each variable.  O(n + pairs).  Throws
  /// InputError if the right side of a constraint is no double then.
  Fixed(const Model& model, std::vector<std::uint8_t> values);

  /// Its energies are exactly those of the model, and so are its names.
  [[nodiscard]] const Model& rest() const { return rest_; }

  /// The x of the model for an x of the rest.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> x) const;
  /// The free part of an x of the model.
  [[nodiscard]] std::vector<std::uint8_t> part(std::span<const std::uint8_t> x) const;

 private:
  std::vector<std::uint8_t> values_;
  Model rest_;
};

}  // namespace oa::qubo
