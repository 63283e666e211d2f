#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Which values roof duality may decide.
enum class Persistency : std::uint8_t {
  Some,   ///< values that one minimum has at the same time
  Every,  ///< values that every minimum has
};

/// For each variable of `f`, to be minimised: 0 or 1 if it is decided, else -1.  Roof
/// duality (Hammer, Hansen and Simeone 1984; Boros, Hammer, Sun and Tavares 2008) by a
/// maximum flow between literals that imply each other.  Decides nothing if the flow
/// takes too much work or is stopped.
[[nodiscard]] std::vector<std::int8_t> roof_persistencies(const WholeFunction& f,
                                                          Persistency persistency,
                                                          const Stop& stop = {});

}  // namespace oa::solve
