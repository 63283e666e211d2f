#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/sample/sample.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// The distribution exp(-p / T) as the probabilities of all x.
class EveryState {
 public:
  /// The maximum number of variables.
  static constexpr int kMaxVariables = 22;

  /// Returns nothing if the polynomial is too large, or if stopped.
  [[nodiscard]] static std::optional<EveryState> make(const WholePolynomial& p,
                                                      double temperature,
                                                      const Stop& stop);

  /// Draws an independent x.
  [[nodiscard]] std::vector<std::uint8_t> draw(Rng& rng) const;

  [[nodiscard]] Marginals marginals() const;

 private:
  int n_ = 0;
  std::vector<double> sums_;  // cumulative weights
};

}  // namespace oa::solve
