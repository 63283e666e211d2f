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

/// A step of solving, as in a compiler: makes a simpler model, and takes solutions
/// back. Both models have the same optimal value: a bound of one is a bound of the
/// other.
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

  /// Adds what the pass found.
  virtual void tell(qubo::Recovered& /*recovered*/) const {}

  /// A solution of the model before, no worse, from one of model().
  [[nodiscard]] virtual std::vector<std::uint8_t> back(
      std::span<const std::uint8_t> x) const = 0;
  /// A vector of model(), to begin at, from one of the model before.
  [[nodiscard]] virtual std::vector<std::uint8_t> forward(
      std::span<const std::uint8_t> x) const = 0;
};

/// Null if the pass has nothing to do.  The model must outlive the pass.
using PassMaker = std::unique_ptr<Pass>(const qubo::Model& model,
                                        ModelSettings& settings,
                                        const Stop& stop);

struct NamedPass {
  std::string_view name;
  PassMaker* make;
};

/// All passes in their order.
[[nodiscard]] std::span<const NamedPass> passes();

}  // namespace oa::solve
