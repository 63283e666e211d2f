#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/sample/sample.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// The distribution exp(-p / T) as a list of the probabilities of all x.
class EveryState {
 public:
  /// Variables of the largest polynomial.
  static constexpr int kMaxVariables = 22;

  /// Nothing if the polynomial is too large, or if stopped.
  [[nodiscard]] static std::optional<EveryState> make(const WholePolynomial& p,
                                                      double temperature,
                                                      const Stop& stop);

  /// One x; independent of others.
  [[nodiscard]] std::vector<std::uint8_t> draw(Rng& rng) const;

  [[nodiscard]] Marginals marginals() const;

 private:
  int n_ = 0;
  std::vector<double> sums_;  // of the weights of x up to each
};

}  // namespace oa::solve
