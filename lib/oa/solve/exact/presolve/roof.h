#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// The values that roof duality decides.
enum class Persistency : std::uint8_t {
  Some,   ///< values that hold together in one minimum
  Every,  ///< values that hold in every minimum
};

/// Returns for each variable of a minimised `f` the decided value, 0 or 1, or -1.
/// Roof duality (Hammer, Hansen and Simeone 1984; Boros, Hammer,
/// Sun and Tavares 2008) uses a maximum flow between literals that imply each other.
/// Decides nothing if stopped, or if the flow takes too much work.
[[nodiscard]] std::vector<std::int8_t> roof_persistencies(const WholeFunction& f,
                                                          Persistency persistency,
                                                          const Stop& stop = {});

}  // namespace oa::solve
