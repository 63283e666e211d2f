#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Which values roof duality decides.
enum class Persistency : std::uint8_t {
  Some,   ///< values that hold together in one minimum
  Every,  ///< values that hold in every minimum
};

/// For each variable of a minimised `f`: its decided value, 0 or 1, else -1.  Roof
/// duality (Hammer, Hansen and Simeone 1984; Boros, Hammer, Sun and Tavares 2008) by a
/// maximum flow between literals that imply each other.  Decides nothing if the flow
/// takes too much work or is stopped.
[[nodiscard]] std::vector<std::int8_t> roof_persistencies(const WholeFunction& f,
                                                          Persistency persistency,
                                                          const Stop& stop = {});

}  // namespace oa::solve
