#pragma once

#include <cstdint>
#include <string_view>

namespace oa::attention {

/// A number that an attention chose for its work, or counted at it.
struct Count {
  std::string_view name;  ///< as oa-bench(1) lists it
  std::int64_t value = 0;
};

}  // namespace oa::attention
