#pragma once

#include "oa/qubo/model.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/single/model_settings.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace oa::solve {

/// A step of solving, as in a compiler: makes a simpler model, and converts solutions
/// back.  Both models have the same optimal value, so bounds of one hold for the other.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  [[nodiscard]] virtual const qubo::Model& model() const = 0;

  /// True if both models have the same number of optima.
  [[nodiscard]] virtual bool keeps_optima() const { return false; }

  /// True if constraints became penalties.
  [[nodiscard]] virtual bool penalises() const { return false; }

  /// Reports what the pass found.
  virtual void tell(qubo::Recovered& /*recovered*/) const {}

  /// Converts a solution of model() to the previous model, where it is no worse.
  [[nodiscard]] virtual std::vector<std::uint8_t> back(
      std::span<const std::uint8_t> x) const = 0;
  /// Converts a start vector of the previous model to model().
  [[nodiscard]] virtual std::vector<std::uint8_t> forward(
      std::span<const std::uint8_t> x) const = 0;
};

/// Returns null if the pass has nothing to do.  The model must outlive the pass.
using PassMaker = std::unique_ptr<Pass>(const qubo::Model& model,
                                        ModelSettings& settings,
                                        const Stop& stop);

struct NamedPass {
  std::string_view name;
  PassMaker* make;
};

/// All passes in order.
[[nodiscard]] std::span<const NamedPass> passes();

}  // namespace oa::solve
