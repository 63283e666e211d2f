#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// A model with some variables fixed, as a model of the remaining variables.
class Fixed {
 public:
  /// `values` has 0, 1 (spin +1) or kFree for each variable.  O(n + pairs).
  /// Throws InputError if fixing makes the right side of a constraint inexact.
  Fixed(const Model& model, std::vector<std::uint8_t> values);

  /// The remaining model, whose energies and names are exactly those of the original.
  [[nodiscard]] const Model& rest() const { return rest_; }

  /// Extends an x of rest() to an x of the original model.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> x) const;
  /// Extracts the x of rest() from an x of the original model.
  [[nodiscard]] std::vector<std::uint8_t> part(std::span<const std::uint8_t> x) const;

 private:
  std::vector<std::uint8_t> values_;
  Model rest_;
};

}  // namespace oa::qubo
